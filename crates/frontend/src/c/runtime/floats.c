/* Floats from their text. */

static int same_letters(const char *text, const char *letters) {
  size_type at = 0;
  for (; letters[at]; at++)
    if ((text[at] | 32) != letters[at]) return 0;
  return (int)at;
}

static long exponent_after(const char *text, size_type *at, char mark) {
  size_type next = *at + 1;
  long exponent = 0;
  if ((text[*at] | 32) != mark) return 0;
  int negative = text[next] == '-';
  if (text[next] == '-' || text[next] == '+') next++;
  if (!isdigit(text[next])) return 0;
  for (; isdigit(text[next]); next++)
    if (exponent < 100000) exponent = 10 * exponent + (text[next] - '0');
  *at = next;
  return negative ? -exponent : exponent;
}

static size_type read_hexadecimal(const struct float_kind *kind, const char *text, size_type *length, int *range) {
  size_type at = 2, mantissa = 0;
  long exponent = 0;
  int seen = 0, more = 0, behind = 0;
  for (;; at++) {
    if (text[at] == '.' && !behind) {
      behind = 1;
      continue;
    }
    if (!isxdigit(text[at])) break;
    seen = 1;
    int digit = digit_value(text[at]);
    if (mantissa >> 60) {
      more |= digit != 0;
      exponent += behind ? 0 : 4;
    } else {
      mantissa = mantissa << 4 | digit;
      exponent -= behind ? 4 : 0;
    }
  }
  if (!seen) {
    /* Only the zero before the `x`. */
    *length = 1;
    return 0;
  }
  exponent += exponent_after(text, &at, 'p');
  *length = at;
  if (mantissa == 0) return 0;
  if (exponent > 3000) exponent = 3000;
  if (exponent < -3000) exponent = -3000;
  return nearest(kind, mantissa, (int)exponent, more, range);
}

/* Reads a float without sign. Returns its bits and how long it is, or 0 if there is none. */
static size_type read_float(const struct float_kind *kind, const char *text, size_type *length, int *range) {
  char digits[MOST_READ + 1];
  size_type at = 0, infinite = ((1UL << kind->stored) - 1) << (kind->bits - 1);
  long exponent = 0;
  int count = 0, seen = 0, behind = 0, more = 0;
  *range = 0;
  *length = 0;
  if (same_letters(text, "infinity")) {
    *length = 8;
    return infinite;
  }
  if (same_letters(text, "inf")) {
    *length = 3;
    return infinite;
  }
  if (same_letters(text, "nan")) {
    *length = 3;
    if (text[3] == '(') {
      size_type end = 4;
      while (isalnum(text[end]) || text[end] == '_') end++;
      if (text[end] == ')') __fencepost_refuse("`nan(...)` in the text of a float");
    }
    return infinite | 1UL << (kind->bits - 2);
  }
  if (text[0] == '0' && (text[1] | 32) == 'x') return read_hexadecimal(kind, text, length, range);
  for (;; at++) {
    if (text[at] == '.' && !behind) {
      behind = 1;
      continue;
    }
    if (!isdigit(text[at])) break;
    seen = 1;
    if (count == MOST_READ) {
      more |= text[at] != '0';
      exponent += behind ? 0 : 1;
    } else {
      if (count > 0 || text[at] != '0') digits[count++] = (char)(text[at] - '0');
      exponent -= behind ? 1 : 0;
    }
  }
  if (!seen) return 0;
  exponent += exponent_after(text, &at, 'e');
  *length = at;
  if (more) digits[count++] = 1, exponent--;
  while (count > 0 && digits[count - 1] == 0) count--, exponent++;
  return nearest_decimal(kind, digits, count, exponent, range);
}

static size_type float_in(const struct float_kind *kind, const char *text, size_type *length) {
  size_type at = 0, bits;
  int negative = 0, range;
  while (isspace(text[at])) at++;
  if (text[at] == '-' || text[at] == '+') negative = text[at++] == '-';
  bits = read_float(kind, text + at, length, &range);
  if (*length) *length += at;
  if (range) __fencepost_set_errno(ERANGE_);
  return negative && *length ? bits | 1UL << (kind->bits + kind->stored - 1) : bits;
}

double strtod(const char *text, char **end) {
  size_type length, bits = float_in(&wide, text, &length);
  if (end) *end = (char *)text + length;
  return of_bits(bits);
}
float strtof(const char *text, char **end) {
  size_type length, bits = float_in(&single, text, &length);
  if (end) *end = (char *)text + length;
  return of_float_bits((unsigned)bits);
}
double atof(const char *text) {
  size_type length;
  return of_bits(float_in(&wide, text, &length));
}
