/* Integers of 128 bits: what compilers call for operations that processors do not have. */

typedef unsigned __int128 unsigned_wide;
typedef __int128 signed_wide;

/* Digit by digit in base 2. A divisor of 0 fails in the division of words. */
unsigned_wide __udivti3(unsigned_wide a, unsigned_wide b) {
  unsigned long a_high = (unsigned long)(a >> 64), b_high = (unsigned long)(b >> 64);
  if ((a_high | b_high) == 0 || b == 0) return (unsigned long)a / (unsigned long)b;
  unsigned_wide quotient = 0;
  int shift = (b_high ? __builtin_clzl(b_high) : 64 + __builtin_clzl((unsigned long)b)) -
              (a_high ? __builtin_clzl(a_high) : 64 + __builtin_clzl((unsigned long)a));
  for (; shift >= 0; shift--) {
    quotient <<= 1;
    if (a >= b << shift) {
      a -= b << shift;
      quotient |= 1;
    }
  }
  return quotient;
}

unsigned_wide __umodti3(unsigned_wide a, unsigned_wide b) { return a - __udivti3(a, b) * b; }

static unsigned_wide magnitude(signed_wide a) { return a < 0 ? -(unsigned_wide)a : (unsigned_wide)a; }

signed_wide __divti3(signed_wide a, signed_wide b) {
  unsigned_wide quotient = __udivti3(magnitude(a), magnitude(b));
  return (signed_wide)((a < 0) != (b < 0) ? -quotient : quotient);
}

signed_wide __modti3(signed_wide a, signed_wide b) {
  unsigned_wide rest = __umodti3(magnitude(a), magnitude(b));
  return (signed_wide)(a < 0 ? -rest : rest);
}

signed_wide __multi3(signed_wide a, signed_wide b) { return (signed_wide)((unsigned_wide)a * (unsigned_wide)b); }
