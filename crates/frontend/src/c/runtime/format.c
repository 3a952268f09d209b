/* What `printf` and its relatives make of a format and its arguments. They return how long the text is, and write as much of it
 * as there is room for. */

typedef __builtin_va_list list;

struct conversion { int left, zeros, plus, space, alternative, width, precision, size; char kind; };
/* Sizes of integers. */
enum { CHAR = 1, SHORT = 2, INT = 4, LONG = 8 };
enum { MOST_FLOAT_DIGITS = 500 };

static size_type put(char *to, size_type room, size_type at, char byte) {
  if (at < room) to[at] = byte;
  return at + 1;
}
static size_type put_many(char *to, size_type room, size_type at, char byte, long times) {
  for (; times > 0; times--) at = put(to, room, at, byte);
  return at;
}
static size_type put_text(char *to, size_type room, size_type at, const char *text, size_type length) {
  for (size_type i = 0; i < length; i++) at = put(to, room, at, text[i]);
  return at;
}

/* A prefix such as a sign, zeros, and digits, in as many columns as there should be. */
static size_type put_number(
    char *to, size_type room, size_type at, const struct conversion *c, const char *prefix, size_type zeros,
    const char *digits, size_type length, int may_fill) {
  size_type before = strlen(prefix), all = before + zeros + length;
  long fill = all < (size_type)c->width ? c->width - (long)all : 0;
  int zero_filled = c->zeros && !c->left && may_fill;
  if (!c->left && !zero_filled) at = put_many(to, room, at, ' ', fill);
  at = put_text(to, room, at, prefix, before);
  if (zero_filled) at = put_many(to, room, at, '0', fill);
  at = put_many(to, room, at, '0', (long)zeros);
  at = put_text(to, room, at, digits, length);
  if (c->left) at = put_many(to, room, at, ' ', fill);
  return at;
}

static const char *sign_of(const struct conversion *c, int negative) {
  return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

static size_type put_integer(char *to, size_type room, size_type at, const struct conversion *c, size_type value) {
  char digits[24];
  int start = 24;
  const char *prefix = "";
  size_type base = 10;
  if (c->kind == 'd' || c->kind == 'i') {
    long number = c->size == CHAR    ? (signed char)value
                  : c->size == SHORT ? (short)value
                  : c->size == INT   ? (int)value
                                     : (long)value;
    prefix = sign_of(c, number < 0);
    value = number < 0 ? -(size_type)number : (size_type)number;
  } else {
    if (c->size < LONG) value &= (1UL << 8 * c->size) - 1;
    if (c->kind == 'o') base = 8;
    if (c->kind == 'x' || c->kind == 'X' || c->kind == 'p') base = 16;
    if (base == 16 && (c->kind == 'p' || (c->alternative && value))) prefix = c->kind == 'X' ? "0X" : "0x";
  }
  for (; value; value /= base)
    digits[--start] = (c->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[value % base];
  int length = 24 - start, least = c->precision < 0 ? 1 : c->precision;
  size_type zeros = length < least ? least - length : 0;
  if (c->kind == 'o' && c->alternative && zeros == 0) zeros = 1;
  return put_number(to, room, at, c, prefix, zeros, digits + start, length, c->precision < 0);
}

/* `digits` as `places` places behind the point, into `out`. Returns how long it is. */
static int fixed(char *out, const char *digits, int count, int point, int places, int keep_point) {
  int length = 0;
  if (point <= 0) out[length++] = '0';
  for (int i = 0; i < point; i++) out[length++] = (char)('0' + (i < count ? digits[i] : 0));
  if (places > 0 || keep_point) out[length++] = '.';
  for (int i = point; i < point + places; i++)
    out[length++] = (char)('0' + (i >= 0 && i < count ? digits[i] : 0));
  return length;
}
static int scientific(char *out, const char *digits, int count, int point, int places, int keep_point, char mark) {
  int length = 0, exponent = count == 0 ? 0 : point - 1;
  out[length++] = (char)('0' + (count > 0 ? digits[0] : 0));
  if (places > 0 || keep_point) out[length++] = '.';
  for (int i = 1; i <= places; i++) out[length++] = (char)('0' + (i < count ? digits[i] : 0));
  out[length++] = mark;
  out[length++] = exponent < 0 ? '-' : '+';
  if (exponent < 0) exponent = -exponent;
  if (exponent >= 100) out[length++] = (char)('0' + exponent / 100);
  out[length++] = (char)('0' + exponent / 10 % 10);
  out[length++] = (char)('0' + exponent % 10);
  return length;
}

static size_type put_float(char *to, size_type room, size_type at, const struct conversion *c, double value) {
  char digits[DIGITS], out[DIGITS];
  int big = c->kind < 'a', places = c->precision < 0 ? 6 : c->precision, count, point, length;
  const char *sign = sign_of(c, is_negative(value));
  if (!is_finite(value)) {
    int is_nan = value != value;
    return put_number(to, room, at, c, sign, 0, is_nan ? (big ? "NAN" : "nan") : (big ? "INF" : "inf"), 3, 0);
  }
  if (places > MOST_FLOAT_DIGITS) __fencepost_refuse("a float printed with more than 500 digits behind the point");
  count = exact_digits(value, digits, &point);
  if ((c->kind | 32) == 'f') {
    count = rounded(digits, count, point + places, &point);
    length = fixed(out, digits, count, point, places, c->alternative);
  } else if ((c->kind | 32) == 'e') {
    count = rounded(digits, count, places + 1, &point);
    length = scientific(out, digits, count, point, places, c->alternative, c->kind);
  } else {
    int significant = places ? places : 1;
    count = rounded(digits, count, significant, &point);
    int exponent = count == 0 ? 0 : point - 1;
    if (!c->alternative) {
      /* Zeros at the end go. */
      while (count > 0 && digits[count - 1] == 0) count--;
      if (significant > count) significant = count > 0 ? count : 1;
    }
    int plain = exponent >= -4 && exponent < (places ? places : 1);
    if (plain) {
      int behind = significant - 1 - exponent;
      length = fixed(out, digits, count, count == 0 ? 1 : point, behind < 0 ? 0 : behind, c->alternative);
    } else {
      length = scientific(out, digits, count, point, significant - 1, c->alternative, (char)(c->kind - 2));
    }
  }
  return put_number(to, room, at, c, sign, 0, out, length, 1);
}

/* Reads the text once, or twice if it is moved to the right. */
size_type __fencepost_put_string(char *to, size_type room, size_type at, const struct conversion *c, const char *text) {
  long most = c->precision < 0 ? -1UL >> 1 : c->precision, length = 0;
  if (!text) {
    if (!PROOF) __fencepost_misuse(PRINTS_NULL);
    return at;
  }
  if (!c->left && c->width > 0) at = put_many(to, room, at, ' ', c->width - (long)strnlen(text, most));
  for (; length < most; length++) {
    char byte = text[length];
    if (!byte) break;
    at = put(to, room, at, byte);
  }
  return c->left ? put_many(to, room, at, ' ', c->width - length) : at;
}

/* Reads flags, width, precision and size. A star takes an argument. Returns what follows. */
static const char *read_conversion(const char *format, struct conversion *c, int *width_star, int *precision_star) {
  c->left = c->zeros = c->plus = c->space = c->alternative = c->width = 0;
  c->precision = -1, c->size = INT;
  *width_star = *precision_star = 0;
  for (;; format++) {
    if (*format == '-') c->left = 1;
    else if (*format == '0') c->zeros = 1;
    else if (*format == '+') c->plus = 1;
    else if (*format == ' ') c->space = 1;
    else if (*format == '#') c->alternative = 1;
    else break;
  }
  if (*format == '*') {
    *width_star = 1;
    format++;
  }
  for (; isdigit(*format) && c->width < 1000000; format++) c->width = 10 * c->width + (*format - '0');
  if (*format == '.') {
    c->precision = 0;
    if (*++format == '*') {
      *precision_star = 1;
      format++;
    }
    for (; isdigit(*format) && c->precision < 1000000; format++) c->precision = 10 * c->precision + (*format - '0');
  }
  for (;; format++) {
    if (*format == 'h') c->size = c->size == SHORT ? CHAR : SHORT;
    else if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't' || *format == 'q') c->size = LONG;
    else break;
  }
  c->kind = *format;
  return *format ? format + 1 : format;
}

size_type __fencepost_format(char *to, size_type size, const char *format, list arguments) {
  size_type at = 0, room = size ? size - 1 : 0;
  if (PROOF) {
    /* Any text of any length. */
    if (size == (size_type)-1) __fencepost_refuse("`sprintf` (use `snprintf`)");
    for (; at < room; at++) to[at] = (char)fencepost_choose(-128, 127);
    if (size) to[room] = 0;
    return __fencepost_any_number();
  }
  while (*format) {
    if (*format != '%') {
      at = put(to, room, at, *format++);
      continue;
    }
    struct conversion c;
    int width_star, precision_star;
    format = read_conversion(format + 1, &c, &width_star, &precision_star);
    if (width_star) {
      c.width = __builtin_va_arg(arguments, int);
      if (c.width < 0) c.left = 1, c.width = -c.width;
    }
    if (precision_star) {
      c.precision = __builtin_va_arg(arguments, int);
      if (c.precision < 0) c.precision = -1;
    }
    switch (c.kind) {
    case '%':
      at = put(to, room, at, '%');
      break;
    case 'c': {
      char byte = (char)__builtin_va_arg(arguments, int);
      if (c.size == LONG) __fencepost_refuse_format();
      at = put_number(to, room, at, &c, "", 0, &byte, 1, 0);
      break;
    }
    case 's':
      if (c.size == LONG) __fencepost_refuse_format();
      at = __fencepost_put_string(to, room, at, &c, __builtin_va_arg(arguments, const char *));
      break;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
      /* Arguments have eight bytes each. */
      at = put_integer(to, room, at, &c, __builtin_va_arg(arguments, size_type));
      break;
    case 'p': {
      size_type value = __builtin_va_arg(arguments, size_type);
      c.size = LONG;
      at = value ? put_integer(to, room, at, &c, value) : put_number(to, room, at, &c, "", 0, "(nil)", 5, 0);
      break;
    }
    case 'n': {
      void *count = __builtin_va_arg(arguments, void *);
      if (c.size == CHAR) *(char *)count = (char)at;
      else if (c.size == SHORT) *(short *)count = (short)at;
      else if (c.size == INT) *(int *)count = (int)at;
      else *(long *)count = (long)at;
      break;
    }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      at = put_float(to, room, at, &c, __builtin_va_arg(arguments, double));
      break;
    default:
      __fencepost_refuse_format();
    }
  }
  if (size) to[at < room ? at : room] = 0;
  return at;
}

/* How long the text is. */
int __fencepost_length(const char *format, ...) {
  list arguments;
  __builtin_va_start(arguments, format);
  return (int)__fencepost_format(NULL, 0, format, arguments);
}
int __fencepost_list_length(const char *format, list arguments) {
  return (int)__fencepost_format(NULL, 0, format, arguments);
}

int vsnprintf(char *to, size_type size, const char *format, list arguments) {
  return (int)__fencepost_format(to, size, format, arguments);
}
int vsprintf(char *to, const char *format, list arguments) {
  return (int)__fencepost_format(to, -1, format, arguments);
}
/* Arguments are gone through twice. */
int vasprintf(char **to, const char *format, list arguments) {
  if (PROOF) __fencepost_refuse("`asprintf`");
  list again;
  __builtin_va_copy(again, arguments);
  size_type length = __fencepost_format(NULL, 0, format, arguments);
  char *text = malloc(length + 1);
  if (!text) return -1;
  __fencepost_format(text, length + 1, format, again);
  *to = text;
  return (int)length;
}

#define FORMATS(name, parameters, body) \
  int name parameters {                 \
    list arguments;                     \
    __builtin_va_start(arguments, format); \
    body;                               \
  }
FORMATS(snprintf, (char *to, size_type size, const char *format, ...), return vsnprintf(to, size, format, arguments))
FORMATS(sprintf, (char *to, const char *format, ...), return vsprintf(to, format, arguments))
FORMATS(asprintf, (char **to, const char *format, ...), return vasprintf(to, format, arguments))

/* With -D_FORTIFY_SOURCE. The room that there is is known to the compiler, and too little of it is a mistake. */
static void must_fit(size_type wanted, size_type room) {
  if (wanted > room) __fencepost_abort();
}
FORMATS(__snprintf_chk, (char *to, size_type size, int flag, size_type room, const char *format, ...),
        must_fit(size, room); return vsnprintf(to, size, format, arguments))
FORMATS(__sprintf_chk, (char *to, int flag, size_type room, const char *format, ...),
        size_type length = __fencepost_format(to, room, format, arguments);
        if (room != (size_type)-1) must_fit(length + 1, room);
        return (int)length)
FORMATS(__asprintf_chk, (char **to, int flag, const char *format, ...), return vasprintf(to, format, arguments))
int __vsnprintf_chk(char *to, size_type size, int flag, size_type room, const char *format, list arguments) {
  must_fit(size, room);
  return vsnprintf(to, size, format, arguments);
}
int __vsprintf_chk(char *to, int flag, size_type room, const char *format, list arguments) {
  size_type length = __fencepost_format(to, room, format, arguments);
  if (room != (size_type)-1) must_fit(length + 1, room);
  return (int)length;
}
int __vasprintf_chk(char **to, int flag, const char *format, list arguments) { return vasprintf(to, format, arguments); }
