/* Queens on a board, by recursion: mostly calls. */
#include "bench.h"

#define SIDE 10

static atomic_long solutions;

static int fits(const int *rows, int column, int row) {
  for (int i = 0; i < column; i++)
    if (rows[i] == row || abs(rows[i] - row) == column - i)
      return 0;
  return 1;
}

static long place(int *rows, int column) {
  if (column == SIDE)
    return 1;
  long found = 0;
  for (int row = 0; row < SIDE; row++)
    if (fits(rows, column, row)) {
      rows[column] = row;
      found += place(rows, column + 1);
    }
  return found;
}

static void *work(void *number) {
  int *rows = malloc(SIDE * sizeof *rows);
  for (int first = (int)(long)number; first < SIDE; first += THREADS) {
    rows[0] = first;
    fetch_add(solutions, place(rows, 1), rlx);
  }
  free(rows);
  return NULL;
}

int main(void) {
  parallel(work);
  printf("%ld\n", solutions);
}
