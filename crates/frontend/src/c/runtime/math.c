/* Functions of math.h whose results are exact or correctly rounded. */

/* Of one bit and of sixty-three, as a double has them. */
static double with_sign(double value, double sign) {
  size_type top = 1UL << 63;
  return of_bits((bits_of(value) & ~top) | (bits_of(sign) & top));
}

/* To integers. What is not finite stays, and so do zeros with their sign. */
double floor(double x) { return __builtin_floor(x); }
double ceil(double x) { return __builtin_ceil(x); }
double trunc(double x) { return __builtin_trunc(x); }
double fabs(double x) { return __builtin_fabs(x); }
double copysign(double x, double y) { return with_sign(x, y); }
double round(double x) {
  double whole = __builtin_trunc(x), rest = __builtin_fabs(x - whole);
  return with_sign(rest >= 0.5 ? __builtin_fabs(whole) + 1 : whole, x);
}
double rint(double x) {
  double whole = __builtin_trunc(x), rest = __builtin_fabs(x - whole), size = __builtin_fabs(whole);
  int is_odd = size < 0x1p53 && (long)size % 2 == 1;
  return with_sign(rest > 0.5 || (rest == 0.5 && is_odd) ? size + 1 : whole, x);
}
double nearbyint(double x) { return rint(x); }
double roundeven(double x) { return rint(x); }
static long to_long(double x) {
  if (!(x >= -0x1p63 && x < 0x1p63)) __fencepost_refuse("the conversion of a float to an integer that does not hold it");
  return (long)x;
}
long lround(double x) { return to_long(round(x)); }
long llround(double x) { return to_long(round(x)); }
long lrint(double x) { return to_long(rint(x)); }
long llrint(double x) { return to_long(rint(x)); }

double sqrt(double x) {
  if (x < 0) __fencepost_set_errno(EDOM_);
  return __builtin_sqrt(x);
}
double fmod(double x, double y) {
  if (y == 0 || (!is_finite(x) && x == x)) __fencepost_set_errno(EDOM_);
  return __builtin_fmod(x, y);
}
double fmin(double x, double y) { return x != x ? y : y < x ? y : x; }
double fmax(double x, double y) { return x != x ? y : y > x ? y : x; }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
/* The remainder of the quotient that is rounded to the nearest. */
double remainder(double x, double y) {
  if (y == 0 || (!is_finite(x) && x == x)) __fencepost_set_errno(EDOM_);
  if (y == 0 || !is_finite(x) || y != y) return (x * y) / (x * y);
  if (!is_finite(y)) return x;
  double size = __builtin_fabs(y), rest = __builtin_fabs(x);
  if (size < 0x1p1023) rest = __builtin_fmod(rest, size + size);
  /* Half of the divisor may be no double. */
  if (size < 0x1p-1021 ? rest + rest > size : rest > size / 2) {
    rest -= size;
    if (size < 0x1p-1021 ? rest + rest >= size : rest >= size / 2) rest -= size;
  }
  return bits_of(x) >> 63 ? -rest : rest;
}

double ldexp(double x, int n) {
  int exponent, range;
  if (!is_finite(x) || x == 0) return x;
  if (n > 4000) n = 4000;
  if (n < -4000) n = -4000;
  size_type mantissa = mantissa_of(x, &exponent);
  double size = of_bits(nearest(&wide, mantissa, exponent + n, 0, &range));
  if (range) __fencepost_set_errno(ERANGE_);
  return with_sign(size, x);
}
double scalbn(double x, int n) { return ldexp(x, n); }
double scalbln(double x, long n) { return ldexp(x, n > 4000 ? 4000 : n < -4000 ? -4000 : (int)n); }
double frexp(double x, int *exponent) {
  *exponent = 0;
  if (!is_finite(x) || x == 0) return x;
  int lowest;
  size_type mantissa = mantissa_of(x, &lowest);
  int length = 64 - __builtin_clzl(mantissa);
  *exponent = lowest + length;
  return with_sign(of_bits((mantissa << (53 - length) & ((1UL << 52) - 1)) | 1022UL << 52), x);
}
double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return with_sign(is_finite(x) ? x - *whole : x != x ? x : 0, x);
}
int ilogb(double x) {
  int lowest;
  if (x != x || x == 0) return -2147483647 - 1;
  if (!is_finite(x)) return 2147483647;
  size_type mantissa = mantissa_of(x, &lowest);
  return lowest + 63 - __builtin_clzl(mantissa);
}
double logb(double x) {
  if (x == 0) return -1 / __builtin_fabs(x);
  return is_finite(x) ? ilogb(x) : x * x;
}
double nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return with_sign(of_bits(1), y);
  return of_bits(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}
double nan(const char *text) {
  if (*text) __fencepost_refuse("`nan` with a text");
  return of_bits(0x7ff8UL << 48);
}

/* `float` is computed as `double` where that rounds only once. */
#define SINGLE(name) \
  float name##f(float x) { return (float)name(x); }
SINGLE(floor) SINGLE(ceil) SINGLE(trunc) SINGLE(fabs) SINGLE(round) SINGLE(rint) SINGLE(nearbyint) SINGLE(roundeven)
SINGLE(sqrt) SINGLE(logb)
#define SINGLES(name) \
  float name##f(float x, float y) { return (float)name(x, y); }
SINGLES(copysign) SINGLES(fmod) SINGLES(fmin) SINGLES(fmax) SINGLES(fdim) SINGLES(remainder)
long lroundf(float x) { return lround(x); }
long llroundf(float x) { return lround(x); }
long lrintf(float x) { return lrint(x); }
long llrintf(float x) { return lrint(x); }
int ilogbf(float x) { return ilogb(x); }
float modff(float x, float *whole) {
  double both;
  float rest = (float)modf(x, &both);
  *whole = (float)both;
  return rest;
}
float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }
float ldexpf(float x, int n) {
  int exponent, range;
  if (!is_finite(x) || x == 0) return x;
  if (n > 4000) n = 4000;
  if (n < -4000) n = -4000;
  size_type mantissa = mantissa_of(x, &exponent);
  float size = of_float_bits((unsigned)nearest(&single, mantissa, exponent + n, 0, &range));
  if (range) __fencepost_set_errno(ERANGE_);
  return x < 0 ? -size : size;
}
float scalbnf(float x, int n) { return ldexpf(x, n); }

/* What the macros of older headers call. */
int __isnan(double x) { return x != x; }
int __isinf(double x) { return x != x || is_finite(x) ? 0 : x < 0 ? -1 : 1; }
int __finite(double x) { return is_finite(x); }
int __signbit(double x) { return is_negative(x); }
int __fpclassify(double x) {
  if (x != x) return 0;
  if (!is_finite(x)) return 1;
  if (x == 0) return 2;
  return (bits_of(x) >> 52 & 2047) == 0 ? 3 : 4;
}
int __isnanf(float x) { return __isnan(x); }
int __isinff(float x) { return __isinf(x); }
int __finitef(float x) { return __finite(x); }
int __signbitf(float x) { return __signbit(x); }
int isnan(double x) { return __isnan(x); }
int isinf(double x) { return __isinf(x); }
int finite(double x) { return __finite(x); }

/* The intrinsic behind `isnan` and the like: a bit for each kind of float, with its sign. */
int __fencepost_has_class(double x, int mask) {
  int negative = is_negative(x), kind = __fpclassify(x);
  size_type quiet = 1UL << 51;
  if (kind == 0) return mask >> (bits_of(x) & quiet ? 1 : 0) & 1;
  if (kind == 1) return mask >> (negative ? 2 : 9) & 1;
  if (kind == 4) return mask >> (negative ? 3 : 8) & 1;
  if (kind == 3) return mask >> (negative ? 4 : 7) & 1;
  return mask >> (negative ? 5 : 6) & 1;
}
int __fencepost_has_classf(float x, int mask) {
  /* A float that is not normal is a normal double. */
  double size = __builtin_fabs((double)x);
  if (size > 0 && size < 0x1p-126) return mask >> (x < 0 ? 4 : 7) & 1;
  return __fencepost_has_class(x, mask);
}
