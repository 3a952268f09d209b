/* Conway's game of life on bytes, with a barrier after each generation. */
#include "bench.h"

#define SIDE 256
#define GENERATIONS 24

static unsigned char cells[2][SIDE + 2][SIDE + 2];
static pthread_barrier_t barrier;

static void *work(void *number) {
  for (int generation = 0; generation < GENERATIONS; generation++) {
    unsigned char (*from)[SIDE + 2] = cells[generation % 2], (*to)[SIDE + 2] = cells[1 - generation % 2];
    for (int i = 1 + (int)(long)number; i <= SIDE; i += THREADS)
      for (int j = 1; j <= SIDE; j++) {
        int near = from[i - 1][j - 1] + from[i - 1][j] + from[i - 1][j + 1] + from[i][j - 1] + from[i][j + 1] +
                   from[i + 1][j - 1] + from[i + 1][j] + from[i + 1][j + 1];
        to[i][j] = near == 3 || (near == 2 && from[i][j]);
      }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  uint32_t random = 17;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++)
      cells[0][i][j] = next_random(&random) % 3 == 0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  parallel(work);
  int alive = 0;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++)
      alive += cells[GENERATIONS % 2][i][j];
  printf("%d\n", alive);
}
