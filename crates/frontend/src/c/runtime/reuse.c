/* Memory that was freed may be allocated again. A program that compares pointers can tell: that is the ABA problem. Stands in
 * for __fencepost_alloc and __fencepost_free in programs that compare and exchange pointers. As in the allocators of today, a thread
 * gets back what it freed itself, the last objects first or any other. */

enum { KEPT = 4 };
static _Thread_local struct {
  void *pointer;
  size_type size;
} __fencepost_freed[KEPT];
#define freed __fencepost_freed

void __fencepost_free_for_reuse(void *pointer) {
  if (!pointer) return;
  size_type size = __fencepost_heap_size(pointer);
  __fencepost_end_object(pointer);
  for (int i = KEPT - 1; i > 0; i--) freed[i] = freed[i - 1];
  freed[0].pointer = pointer;
  freed[0].size = size;
}

void *__fencepost_alloc_or_reuse(size_type size) {
  for (int i = 0; i < KEPT && freed[i].pointer; i++) {
    if (freed[i].size != size || __fencepost_choose(0, 1) == 0) continue;
    void *pointer = freed[i].pointer;
    for (; i < KEPT - 1; i++) freed[i] = freed[i + 1];
    freed[KEPT - 1].pointer = (void *)0;
    freed[KEPT - 1].size = 0;
    return __fencepost_alloc_at(pointer, size);
  }
  return __fencepost_alloc_fresh(size);
}
