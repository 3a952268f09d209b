/*! expect: uninitialised-read at 7 */
/* Nobody else can reach the array, and only some of it is written. */
#include <assert.h>

int main(int argc, char **argv) {
  int numbers[4] = {0}, others[4];
  for (int i = 0; i < 4; i++) others[i & 2] = numbers[i] + others[1 | (i & 2)];
  assert(others[0] == 0);
}
