/*! expect: uninitialised-read at 21 */
/* A member of a local struct that nobody has written, also after the struct was copied. */
#include <assert.h>
#include <string.h>

struct pair {
  char first;
  int second;
};

static struct pair half(int value) {
  struct pair pair;
  pair.first = value;
  return pair;
}

int main(void) {
  struct pair pair = half(1), copy; /* Copying is fine. */
  memcpy(&copy, &pair, sizeof copy);
  assert(copy.first == 1);
  assert(copy.second == 0);
}
