/* Memory that was freed may be allocated again, by any thread. A program that compares pointers can tell: that is the ABA
 * problem. Stands in for __fencepost_alloc and __fencepost_free in programs that compare and exchange pointers.
 *
 * For each object there is a cell with its size and 1 while it is free. So each `free` happens before the allocation that
 * returns the same memory (C11 7.22.3). */

void __fencepost_free_for_reuse(void *pointer) {
  if (!pointer) return;
  size_type size = __fencepost_heap_size(pointer);
  __fencepost_end_object(pointer);
  __atomic_store_n((size_type *)__fencepost_freed_cell(pointer), size + 1, RELEASE);
}

void *__fencepost_alloc_or_reuse(size_type size) {
  void *pointer = __fencepost_reuse(size);
  if (!pointer) return __fencepost_alloc_fresh(size);
  /* If the object is never free, this execution is given up. */
  __fencepost_bcas(__fencepost_freed_cell(pointer), size + 1, 0, 8, ACQUIRE);
  return __fencepost_alloc_at(pointer, size);
}
