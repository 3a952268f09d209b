/* Between decimal text and binary floats, correctly rounded: with exact integers of as many bits as it takes. */

/* Limbs of 32 bits, the lowest first. The smallest double times the power of ten that makes it an integer has 2,600 bits; 800
 * digits over a power of ten need more. */
enum { LIMBS = 200, DIGITS = 1200, MOST_READ = 800 };

static int big_scale(unsigned *limbs, int count, unsigned factor, unsigned carry) {
  size_type rest = carry;
  for (int i = 0; i < count; i++) {
    rest += (size_type)limbs[i] * factor;
    limbs[i] = (unsigned)rest;
    rest >>= 32;
  }
  if (rest) limbs[count++] = (unsigned)rest;
  return count;
}
/* Returns the remainder. */
static unsigned big_divide(unsigned *limbs, int count, unsigned divisor) {
  size_type rest = 0;
  for (int i = count - 1; i >= 0; i--) {
    rest = rest << 32 | limbs[i];
    limbs[i] = (unsigned)(rest / divisor);
    rest %= divisor;
  }
  return (unsigned)rest;
}
static int big_trimmed(const unsigned *limbs, int count) {
  while (count > 0 && limbs[count - 1] == 0) count--;
  return count;
}
static int big_shift(unsigned *limbs, int count, int bits) {
  int whole = bits / 32;
  count = big_scale(limbs, count, 1U << bits % 32, 0);
  if (whole > 0) {
    for (int i = count - 1; i >= 0; i--) limbs[i + whole] = limbs[i];
    for (int i = 0; i < whole; i++) limbs[i] = 0;
    count += whole;
  }
  return count;
}
static int big_set(unsigned *limbs, size_type value) {
  limbs[0] = (unsigned)value, limbs[1] = (unsigned)(value >> 32);
  return big_trimmed(limbs, 2);
}
static int big_bits(const unsigned *limbs, int count) {
  return count == 0 ? 0 : 32 * count - __builtin_clz(limbs[count - 1]);
}

static size_type bits_of(double value) {
  union { double value; size_type bits; } both = {value};
  return both.bits;
}
static double of_bits(size_type bits) {
  union { size_type bits; double value; } both = {bits};
  return both.value;
}
static float of_float_bits(unsigned bits) {
  union { unsigned bits; float value; } both = {bits};
  return both.value;
}
static int is_negative(double value) { return bits_of(value) >> 63; }
static int is_finite(double value) { return (bits_of(value) >> 52 & 2047) != 2047; }

/* A positive double is mantissa times two to the power of the exponent. */
static size_type mantissa_of(double value, int *exponent) {
  size_type bits = bits_of(value), fraction = bits & ((1UL << 52) - 1);
  int biased = bits >> 52 & 2047;
  *exponent = (biased ? biased : 1) - 1075;
  return biased ? fraction | 1UL << 52 : fraction;
}

/* All digits of a positive finite double, which is 0.DIGITS times ten to the power of `point`. Returns how many. */
static int exact_digits(double value, char *digits, int *point) {
  unsigned limbs[LIMBS];
  int exponent, after = 0, length = 0;
  size_type mantissa = mantissa_of(value, &exponent);
  *point = 0;
  if (mantissa == 0) return 0;
  for (; mantissa % 2 == 0 && exponent < 0; exponent++) mantissa /= 2;
  int count = big_set(limbs, mantissa);
  if (exponent >= 0) {
    count = big_shift(limbs, count, exponent);
  } else {
    /* Times ten to the power of `after`, without its twos. */
    after = -exponent;
    int left = after;
    for (; left >= 13; left -= 13) count = big_scale(limbs, count, 1220703125, 0);
    for (; left > 0; left--) count = big_scale(limbs, count, 5, 0);
  }
  while (count > 0) {
    unsigned nine = big_divide(limbs, count, 1000000000);
    count = big_trimmed(limbs, count);
    for (int i = 0; i < 9 && (count > 0 || nine > 0); i++, nine /= 10) digits[length++] = (char)(nine % 10);
  }
  for (int i = 0; i < length / 2; i++) {
    char held = digits[i];
    digits[i] = digits[length - 1 - i], digits[length - 1 - i] = held;
  }
  *point = length - after;
  return length;
}

/* Keeps so many digits, rounded to the nearest and to even digits between. Returns how many there are now. */
static int rounded(char *digits, int length, int keep, int *point) {
  if (keep >= length) return length;
  if (keep < 0) return 0;
  int up = digits[keep] > 5;
  if (digits[keep] == 5) {
    up = keep > 0 && digits[keep - 1] % 2 == 1;
    for (int i = keep + 1; i < length; i++) up |= digits[i] != 0;
  }
  if (!up) return keep;
  int at = keep - 1;
  for (; at >= 0 && digits[at] == 9; at--) digits[at] = 0;
  if (at >= 0) {
    digits[at]++;
    return keep;
  }
  /* All were nines. */
  digits[0] = 1;
  for (int i = 1; i <= keep; i++) digits[i] = 0;
  ++*point;
  return keep + 1;
}

/* What a kind of float has: the bits of its mantissa, and the exponent of its smallest number. */
struct float_kind { int bits, least, stored; };
static const struct float_kind single = {24, -149, 8}, wide = {53, -1074, 11};

/* The bits of the float nearest to a number, which is mantissa times two to the power of the exponent, and a bit more if
 * `more`. The mantissa has its top bit set or is exact. */
static size_type nearest(const struct float_kind *kind, size_type mantissa, int exponent, int more, int *range) {
  *range = 0;
  if (mantissa == 0) {
    *range = more;
    return 0;
  }
  int top = 64 - __builtin_clzl(mantissa) + exponent, lowest = top - kind->bits;
  if (lowest < kind->least) lowest = kind->least;
  int drop = lowest - exponent;
  size_type kept, over = 0;
  if (drop <= 0) {
    kept = mantissa << -drop;
  } else if (drop > 64) {
    kept = 0, more = 1;
  } else {
    kept = drop == 64 ? 0 : mantissa >> drop;
    over = drop == 64 ? mantissa : mantissa & ((1UL << drop) - 1);
    size_type half = 1UL << (drop - 1);
    if (over > half || (over == half && (more || kept % 2 == 1))) kept++;
  }
  size_type hidden = 1UL << (kind->bits - 1), infinite = ((1UL << kind->stored) - 1) << (kind->bits - 1);
  if (kept < hidden) {
    *range = more || over;
    return kept;
  }
  /* Overflow into the next power of two is right. */
  size_type bits = ((size_type)(lowest - kind->least) << (kind->bits - 1)) + kept;
  if (lowest - kind->least > 1 << kind->stored || bits >= infinite) {
    *range = 1;
    return infinite;
  }
  return bits;
}

/* The float nearest to digits times ten to the power of an exponent. */
static size_type nearest_decimal(const struct float_kind *kind, const char *digits, int length, long exponent, int *range) {
  unsigned limbs[LIMBS];
  int more = 0, scale = 0, count = 0;
  *range = 0;
  if (length == 0) return 0;
  if (length + exponent > 310) return nearest(kind, -1, 2000, 0, range);
  if (length + exponent < -330) return nearest(kind, 0, 0, 1, range);
  for (int i = 0; i < length; i++) {
    count = big_scale(limbs, count, 10, 0);
    if (digits[i] && count == 0) limbs[count++] = 0;
    for (unsigned carry = digits[i], at = 0; carry; at++) {
      size_type sum = (size_type)limbs[at] + carry;
      limbs[at] = (unsigned)sum, carry = sum >> 32;
      if (carry && at + 1 == count) limbs[count++] = 0;
    }
  }
  for (; exponent > 0; exponent--) count = big_scale(limbs, count, 10, 0);
  if (exponent < 0) {
    int lacks = 70 + (int)(-exponent * 10 / 3) - big_bits(limbs, count);
    if (lacks > 0) {
      count = big_shift(limbs, count, lacks);
      scale = -lacks;
    }
    for (; exponent <= -9; exponent += 9) more |= big_divide(limbs, count, 1000000000) != 0;
    for (; exponent < 0; exponent++) more |= big_divide(limbs, count, 10) != 0;
    count = big_trimmed(limbs, count);
  }
  /* The top 64 bits. */
  int bits = big_bits(limbs, count), drop = bits > 64 ? bits - 64 : 0;
  size_type mantissa = 0;
  for (int i = 0; i < count; i++) {
    int at = 32 * i - drop;
    if (at <= -32) {
      more |= limbs[i] != 0;
    } else if (at < 0) {
      more |= (limbs[i] & ((1U << -at) - 1)) != 0;
      mantissa |= limbs[i] >> -at;
    } else {
      mantissa |= (size_type)limbs[i] << at;
    }
  }
  return nearest(kind, mantissa, scale + drop, more, range);
}
