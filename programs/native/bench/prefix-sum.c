/* Prefix sums in two passes with a barrier between them, again and again. */
#include "bench.h"

#define SIZE (1 << 18)
#define ROUNDS 16

static unsigned long items[SIZE], sums[THREADS];
static pthread_barrier_t barrier;

static void *work(void *number) {
  long me = (long)number, part = SIZE / THREADS;
  unsigned long *mine = items + me * part;
  for (int round = 0; round < ROUNDS; round++) {
    unsigned long sum = 0;
    for (long i = 0; i < part; i++)
      sum += mine[i];
    sums[me] = sum;
    pthread_barrier_wait(&barrier);
    unsigned long before = 0;
    for (long i = 0; i < me; i++)
      before += sums[i];
    for (long i = 0; i < part; i++) {
      before += mine[i];
      mine[i] = before & 0xffff;
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < SIZE; i++)
    items[i] = i & 255;
  pthread_barrier_init(&barrier, NULL, THREADS);
  parallel(work);
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += items[i];
  printf("%lu\n", sum);
}
