/* `sscanf`. */

enum { MOST_SCANNED = 1000 };

struct scan { int skip, size; size_type width; char kind; };

static size_type skip_space(const char *text, size_type at) {
  while (isspace(text[at])) at++;
  return at;
}

/* The longest beginning of an integer, copied. Returns how long it is. */
static size_type take_integer(const char *text, size_type width, int base, char *out) {
  size_type at = 0, digits = 0;
  if (at < width && (text[at] == '-' || text[at] == '+')) out[at] = text[at], at++;
  if ((base == 0 || base == 16) && at + 1 < width && text[at] == '0' && (text[at + 1] | 32) == 'x') {
    out[at] = '0', out[at + 1] = 'x';
    at += 2, base = 16;
    /* Where nothing follows, the `x` is taken all the same, and there is no number. */
  } else if (base == 0) {
    base = at < width && text[at] == '0' ? 8 : 10;
  }
  for (; at < width && digit_value(text[at]) < base; at++, digits++) out[at] = text[at];
  out[at] = 0;
  return digits ? at : 0;
}

static size_type take_float(const char *text, size_type width, char *out) {
  size_type at = 0, digits = 0;
  if (at < width && (text[at] == '-' || text[at] == '+')) out[at] = text[at], at++;
  if (at < width && ((text[at] | 32) == 'i' || (text[at] | 32) == 'n' || (text[at] == '0' && (text[at + 1] | 32) == 'x')))
    __fencepost_refuse("`sscanf` of a float that is not decimal");
  for (; at < width && isdigit(text[at]); at++, digits++) out[at] = text[at];
  if (at < width && text[at] == '.') out[at] = '.', at++;
  for (; at < width && isdigit(text[at]); at++, digits++) out[at] = text[at];
  if (digits && at < width && (text[at] | 32) == 'e') {
    out[at] = 'e', at++;
    if (at < width && (text[at] == '-' || text[at] == '+')) out[at] = text[at], at++;
    if (!(at < width && isdigit(text[at]))) return 0;
    for (; at < width && isdigit(text[at]); at++) out[at] = text[at];
  }
  out[at] = 0;
  return digits ? at : 0;
}

/* Whether a byte is in a set such as `[a-z]`, which starts behind the bracket. */
static int in_set(const char *set, char byte) {
  int negated = *set == '^', found = 0;
  if (negated) set++;
  for (int first = 1; first || *set != ']'; set++, first = 0) {
    if (!*set) return 0;
    if (set[1] == '-' && set[2] && set[2] != ']') {
      found |= (unsigned char)byte >= (unsigned char)set[0] && (unsigned char)byte <= (unsigned char)set[2];
      set += 2;
    } else {
      found |= *set == byte;
    }
  }
  return found != negated;
}
static const char *set_end(const char *set) {
  if (*set == '^') set++;
  if (*set == ']') set++;
  while (*set && *set != ']') set++;
  return *set ? set + 1 : set;
}

static void store_integer(void *to, int size, long value) {
  if (size == CHAR) *(char *)to = (char)value;
  else if (size == SHORT) *(short *)to = (short)value;
  else if (size == INT) *(int *)to = (int)value;
  else *(long *)to = value;
}

static const char *read_scan(const char *format, struct scan *s) {
  s->skip = 0, s->size = INT, s->width = 0;
  if (*format == '*') s->skip = 1, format++;
  for (; isdigit(*format); format++) s->width = 10 * s->width + (*format - '0');
  for (;; format++) {
    if (*format == 'h') s->size = s->size == SHORT ? CHAR : SHORT;
    else if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't' || *format == 'q') s->size = LONG;
    else break;
  }
  s->kind = *format;
  return *format ? format + 1 : format;
}

int vsscanf(const char *text, const char *format, list arguments) {
  size_type at = 0;
  int found = 0, negative, overflows;
  char copy[MOST_SCANNED + 1];
  if (PROOF) __fencepost_refuse("`sscanf`");
  for (; *format;) {
    if (isspace(*format)) {
      at = skip_space(text, at);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        at = skip_space(text, at);
        format++;
      }
      if (!text[at] && found == 0) return -1;
      if (text[at] != *format) return found;
      at++, format++;
      continue;
    }
    struct scan s;
    format = read_scan(format + 1, &s);
    if (s.kind != 'c' && s.kind != '[' && s.kind != 'n') at = skip_space(text, at);
    if (!text[at] && s.kind != 'n') return found ? found : -1;
    size_type width = s.width && s.width < MOST_SCANNED ? s.width : MOST_SCANNED, length = 0;
    int base = s.kind == 'i' ? 0 : s.kind == 'o' ? 8 : s.kind == 'x' || s.kind == 'X' || s.kind == 'p' ? 16 : 10;
    switch (s.kind) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p': {
      length = take_integer(text + at, width, base, copy);
      if (!length) return found;
      long value = s.kind == 'd' || s.kind == 'i' ? strtol(copy, NULL, base) : (long)strtoul(copy, NULL, base);
      if (!s.skip) store_integer(__builtin_va_arg(arguments, void *), s.kind == 'p' ? LONG : s.size, value);
      break;
    }
    case 'e': case 'f': case 'g': case 'E': case 'F': case 'G': case 'a': case 'A':
      length = take_float(text + at, width, copy);
      if (!length) return found;
      if (s.skip) break;
      if (s.size == LONG)
        *__builtin_va_arg(arguments, double *) = strtod(copy, NULL);
      else
        *__builtin_va_arg(arguments, float *) = strtof(copy, NULL);
      break;
    case 'c': case 's': case '[': {
      const char *set = format;
      if (s.size == LONG) __fencepost_refuse("`sscanf` of wide characters");
      if (s.kind == '[') format = set_end(format);
      char *to = s.skip ? NULL : __builtin_va_arg(arguments, char *);
      if (s.kind == 'c') width = s.width ? s.width : 1;
      else if (!s.width) width = -1;
      for (; length < width && text[at + length]; length++) {
        char byte = text[at + length];
        if (s.kind == 's' && isspace(byte)) break;
        if (s.kind == '[' && !in_set(set, byte)) break;
        if (to) to[length] = byte;
      }
      if (length == 0) return found;
      if (s.kind == 'c' && length < width) return found ? found : -1;
      if (to && s.kind != 'c') to[length] = 0;
      break;
    }
    case 'n':
      if (!s.skip) store_integer(__builtin_va_arg(arguments, void *), s.size, (long)at);
      continue;
    default:
      __fencepost_refuse("a conversion of `sscanf` that is not known");
    }
    at += length;
    if (!s.skip) found++;
  }
  return found;
}
int sscanf(const char *text, const char *format, ...) {
  list arguments;
  __builtin_va_start(arguments, format);
  return vsscanf(text, format, arguments);
}
int __isoc99_sscanf(const char *text, const char *format, ...) {
  list arguments;
  __builtin_va_start(arguments, format);
  return vsscanf(text, format, arguments);
}
int __isoc99_vsscanf(const char *text, const char *format, list arguments) { return vsscanf(text, format, arguments); }
/* C23 also reads binary integers, which are refused. */
static void no_binary(const char *text) {
  for (; *text; text++)
    if (text[0] == '0' && (text[1] | 32) == 'b') __fencepost_refuse("`sscanf` of a binary integer");
}
int __isoc23_vsscanf(const char *text, const char *format, list arguments) {
  no_binary(text);
  return vsscanf(text, format, arguments);
}
int __isoc23_sscanf(const char *text, const char *format, ...) {
  list arguments;
  __builtin_va_start(arguments, format);
  no_binary(text);
  return vsscanf(text, format, arguments);
}
