//! title: memory that is freed, unmapped and used again by others
//! expect: nothing
#include <string.h>
#include <sys/mman.h>

#include "../threads.h"

static void *worker(void *number) {
  for (int i = 0; i < 200; i++) {
    size_t size = 16 + (i * 37) % 5000;
    char *block = malloc(size);
    memset(block, i, size);
    atomic_int *atom = (atomic_int *)block;
    atomic_store_explicit(atom, i, rel);
    assert(atomic_load_explicit(atom, acq) == i);
    block = realloc(block, size * 3);
    assert(block[size - 1] == (char)i);
    free(block);
    if (i % 20 == 0) {
      long *pages = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      for (int j = 0; j < 8192; j++)
        pages[j] = j;
      munmap(pages, 1 << 16);
    }
  }
  char local[4096];
  memset(local, 1, sizeof local);
  char copy[4096];
  memcpy(copy, local, sizeof local);
  memmove(copy + 1, copy, 100);
  assert(copy[4095] == 1);
  return number;
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    body *bodies[4] = {worker, worker, worker, worker};
    run(4, bodies);
  }
  void *aligned;
  assert(posix_memalign(&aligned, 64, 100) == 0 && (long)aligned % 64 == 0);
  free(aligned);
  free(aligned_alloc(32, 64));
  free(calloc(10, 10));
  puts("done");
  return 0;
}
