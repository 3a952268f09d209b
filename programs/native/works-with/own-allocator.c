//! title: a program with a malloc of its own
//! expect: nothing
#include <string.h>

#include "../threads.h"

static char arena[1 << 22];
static atomic_size_t used;

void *malloc(size_t size) { return arena + fetch_add(used, (size + 31) & ~15ul, rlx); }
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *block, size_t size) {
  void *new = malloc(size);
  if (block)
    memcpy(new, block, size);
  return new;
}

static void *worker(void *unused) {
  for (int i = 0; i < 100; i++) {
    int *block = malloc(sizeof *block);
    *block = i;
    free(block);
  }
  return unused;
}

int main(void) {
  run2(worker, worker);
  puts("done");
  return 0;
}
