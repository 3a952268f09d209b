/* The product of two matrices, by rows. */
#include "bench.h"

#define N 224

static double a[N][N], b[N][N], c[N][N];

static void *multiply(void *number) {
  for (int i = (int)(long)number; i < N; i += THREADS)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i + j, b[i][j] = i - j;
  parallel(multiply);
  double trace = 0;
  for (int i = 0; i < N; i++)
    trace += c[i][i];
  printf("%.0f\n", trace);
}
