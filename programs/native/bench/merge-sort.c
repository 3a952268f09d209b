/* A merge sort, a quarter of the array to each thread. */
#include "bench.h"

#define SIZE (1 << 20)

static int items[SIZE], scratch[SIZE];

static void merge_sort(int *from, int *with, size_t count) {
  if (count < 2)
    return;
  size_t half = count / 2;
  merge_sort(from, with, half);
  merge_sort(from + half, with + half, count - half);
  size_t i = 0, j = half;
  for (size_t k = 0; k < count; k++)
    with[k] = j == count || (i < half && from[i] <= from[j]) ? from[i++] : from[j++];
  memcpy(from, with, count * sizeof *from);
}

static void *sort_part(void *number) {
  size_t part = SIZE / THREADS, first = part * (long)number;
  merge_sort(items + first, scratch + first, part);
  return NULL;
}

int main(void) {
  uint32_t random = 17;
  for (int i = 0; i < SIZE; i++)
    items[i] = (int)(next_random(&random) >> 1);
  parallel(sort_part);
  long sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += i % 7 * (long)items[i];
  printf("%ld\n", sum);
}
