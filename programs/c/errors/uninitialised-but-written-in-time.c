/*! expect: holds */
/* Local memory that is written before it is read: by members, bit fields, callees, `memset`, and copies with padding. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct bits {
  unsigned low : 3, high : 5;
  char after;
};
struct padded {
  char first;
  long second;
};
union either {
  long whole;
  char bytes[8];
};

static void fill(int *to, int count) {
  for (int i = 0; i < count; i++) to[i] = i;
}

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long all = 0;
  while (count-- > 0) all += va_arg(list, int);
  va_end(list);
  return all;
}

static struct padded swap(struct padded padded) {
  struct padded other;
  other.first = padded.second;
  other.second = padded.first;
  return other;
}

int main(void) {
  struct bits bits;
  bits.low = 2;
  bits.high = 3;
  assert(bits.low == 2 && bits.high == 3);
  int numbers[3];
  fill(numbers, 3);
  assert(numbers[2] == 2);
  char text[8];
  memset(text, 0, 4);
  strcpy(text + 1, "abc");
  assert(text[0] == 0 && strlen(text + 1) == 3);
  struct padded padded;
  padded.first = 1;
  padded.second = 2;
  struct padded other = swap(padded);
  assert(other.first == 2 && other.second == 1);
  union either either;
  either.bytes[0] = 1;
  for (int i = 1; i < 8; i++) either.bytes[i] = 0;
  assert(either.whole == 1);
  assert(sum(3, 1, 2, 3) == 6);
  struct bits unused, copy = unused; /* Copying is fine. */
  copy.after = 1;
  assert(copy.after == 1);
}
