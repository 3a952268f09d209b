/* Integers from their text, and some arithmetic of stdlib.h. */

static int digit_value(char c) {
  if (isdigit(c)) return c - '0';
  if (isalpha(c)) return (c | 32) - 'a' + 10;
  return 99;
}

/* Reads an integer after space. Returns how long it is with the space, or 0 if there is none. A magnitude that is too large is
 * the largest, and `overflows` then. */
static size_type read_integer(
    const char *text, int base, int has_binary, int *negative, size_type *magnitude, int *overflows) {
  size_type at = 0, start, value = 0;
  *negative = *overflows = 0;
  *magnitude = 0;
  while (isspace(text[at])) at++;
  if (text[at] == '-' || text[at] == '+') *negative = text[at++] == '-';
  if ((base == 0 || base == 16) && text[at] == '0' && (text[at + 1] | 32) == 'x' && digit_value(text[at + 2]) < 16) {
    at += 2, base = 16;
  } else if (has_binary && (base == 0 || base == 2) && text[at] == '0' && (text[at + 1] | 32) == 'b' &&
             digit_value(text[at + 2]) < 2) {
    at += 2, base = 2;
  } else if (base == 0) {
    base = text[at] == '0' ? 8 : 10;
  }
  for (start = at; digit_value(text[at]) < base; at++) {
    size_type next;
    if (__builtin_mul_overflow(value, (size_type)base, &next) ||
        __builtin_add_overflow(next, (size_type)digit_value(text[at]), &value)) {
      *overflows = 1;
      value = -1;
    }
    if (*overflows) value = -1;
  }
  *magnitude = value;
  return at == start ? 0 : at;
}

static long signed_integer(const char *text, size_type *length, int base, int has_binary) {
  enum { BITS = 63 };
  int negative, overflows;
  size_type magnitude, limit = 1UL << BITS;
  *length = 0;
  if (base < 0 || base == 1 || base > 36) {
    __fencepost_set_errno(EINVAL_);
    return 0;
  }
  *length = read_integer(text, base, has_binary, &negative, &magnitude, &overflows);
  if (negative ? overflows || magnitude > limit : overflows || magnitude >= limit) {
    __fencepost_set_errno(ERANGE_);
    return negative ? (long)limit : (long)(limit - 1);
  }
  return negative ? (long)-magnitude : (long)magnitude;
}
static size_type unsigned_integer(const char *text, size_type *length, int base, int has_binary) {
  int negative, overflows;
  size_type magnitude;
  *length = 0;
  if (base < 0 || base == 1 || base > 36) {
    __fencepost_set_errno(EINVAL_);
    return 0;
  }
  *length = read_integer(text, base, has_binary, &negative, &magnitude, &overflows);
  if (overflows) {
    __fencepost_set_errno(ERANGE_);
    return -1;
  }
  return negative ? -magnitude : magnitude;
}
static int is_base(int base) { return base == 0 || (base >= 2 && base <= 36); }

#define READS(name, type, read, has_binary)          \
  type name(const char *text, char **end, int base) { \
    size_type length;                                \
    type value = read(text, &length, base, has_binary); \
    if (end && is_base(base)) *end = (char *)text + length; \
    return value;                                    \
  }
READS(strtol, long, signed_integer, 0)
READS(strtoll, long, signed_integer, 0)
READS(strtoimax, long, signed_integer, 0)
READS(strtoq, long, signed_integer, 0)
READS(strtoul, size_type, unsigned_integer, 0)
READS(strtoull, size_type, unsigned_integer, 0)
READS(strtoumax, size_type, unsigned_integer, 0)
READS(strtouq, size_type, unsigned_integer, 0)
READS(__isoc23_strtol, long, signed_integer, 1)
READS(__isoc23_strtoll, long, signed_integer, 1)
READS(__isoc23_strtoimax, long, signed_integer, 1)
READS(__isoc23_strtoul, size_type, unsigned_integer, 1)
READS(__isoc23_strtoull, size_type, unsigned_integer, 1)
READS(__isoc23_strtoumax, size_type, unsigned_integer, 1)

long atol(const char *text) {
  size_type length;
  return signed_integer(text, &length, 10, 0);
}
long atoll(const char *text) { return atol(text); }
int atoi(const char *text) { return (int)atol(text); }

/* The smallest integer has no absolute value; processors return it as it is. */
int abs(int value) { return value < 0 ? (int)(0U - value) : value; }
long labs(long value) { return value < 0 ? (long)(0UL - value) : value; }
long llabs(long value) { return labs(value); }
long imaxabs(long value) { return labs(value); }
typedef struct { int quotient, remainder; } int_division;
typedef struct { long quotient, remainder; } long_division;
int_division div(int a, int b) { return (int_division){a / b, a % b}; }
long_division ldiv(long a, long b) { return (long_division){a / b, a % b}; }
long_division lldiv(long a, long b) { return ldiv(a, b); }
long_division imaxdiv(long a, long b) { return ldiv(a, b); }
int ffs(int value) { return value ? __builtin_ctz(value) + 1 : 0; }
int ffsl(long value) { return value ? __builtin_ctzl(value) + 1 : 0; }
int ffsll(long value) { return ffsl(value); }

/* Sorting and searching. Equal elements keep their order, and the search looks at the middle, as in glibc. */

static void exchange(char *a, char *b, size_type size) {
  while (size > 0) {
    size_type both = (size_type)a | (size_type)b;
    if (size >= 8 && both % 8 == 0) {
      long held = *(long *)a;
      *(long *)a = *(long *)b, *(long *)b = held;
      a += 8, b += 8, size -= 8;
    } else if (size >= 4 && both % 4 == 0) {
      int held = *(int *)a;
      *(int *)a = *(int *)b, *(int *)b = held;
      a += 4, b += 4, size -= 4;
    } else {
      char held = *a;
      *a++ = *b, *b++ = held;
      size--;
    }
  }
}
void qsort(void *array, size_type count, size_type size, int (*compare)(const void *, const void *)) {
  char *first = array;
  for (size_type i = 1; i < count; i++)
    for (char *at = first + i * size; at > first && compare(at - size, at) > 0; at -= size) exchange(at - size, at, size);
}
void qsort_r(
    void *array, size_type count, size_type size, int (*compare)(const void *, const void *, void *), void *argument) {
  char *first = array;
  for (size_type i = 1; i < count; i++)
    for (char *at = first + i * size; at > first && compare(at - size, at, argument) > 0; at -= size)
      exchange(at - size, at, size);
}
void *bsearch(
    const void *key, const void *array, size_type count, size_type size, int (*compare)(const void *, const void *)) {
  size_type lo = 0, hi = count;
  while (lo < hi) {
    size_type middle = (lo + hi) / 2;
    const char *element = (const char *)array + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0)
      hi = middle;
    else
      lo = middle + 1;
  }
  return NULL;
}
