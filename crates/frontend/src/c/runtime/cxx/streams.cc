/* What our streams (include/cxx/fencepost) leave to the library: numbers as text. */

extern "C" int snprintf(char *to, size_type size, const char *format, ...);
extern "C" double strtod(const char *from, char **end);

/* The flags of `std::ios_base`, as our header has them. */
enum {
  FIXED = 1 << 2,
  HEX = 1 << 3,
  OCT = 1 << 6,
  SCIENTIFIC = 1 << 8,
  SHOWBASE = 1 << 9,
  SHOWPOINT = 1 << 10,
  SHOWPOS = 1 << 11,
  UPPERCASE = 1 << 14,
  BASEFIELD = 1 << 1 | HEX | OCT
};

/* The sign is negative, positive, or 0 for a number that has none. */
extern "C" int __fencepost_integer_text(char *text, unsigned long long magnitude, int sign, unsigned flags,
                                        int *before) {
  unsigned base = (flags & BASEFIELD) == OCT ? 8 : (flags & BASEFIELD) == HEX ? 16 : 10;
  char letter = flags & UPPERCASE ? 'A' : 'a';
  char digits[24];
  int count = 0, size = 0;
  bool prefixed = flags & SHOWBASE && magnitude != 0;
  do {
    unsigned digit = magnitude % base;
    digits[count++] = digit < 10 ? '0' + digit : letter + digit - 10;
    magnitude /= base;
  } while (magnitude != 0);
  if (prefixed && base == 8) digits[count++] = '0';
  if (sign < 0) text[size++] = '-';
  if (sign > 0 && flags & SHOWPOS) text[size++] = '+';
  if (prefixed && base == 16) {
    text[size++] = '0';
    text[size++] = letter + ('x' - 'a');
  }
  *before = size;
  while (count > 0) text[size++] = digits[--count];
  return size;
}

extern "C" int __fencepost_float_text(char *text, int size, double value, unsigned flags, int precision, int *before) {
  char format[8];
  int at = 0;
  unsigned field = flags & (FIXED | SCIENTIFIC);
  format[at++] = '%';
  if (flags & SHOWPOS) format[at++] = '+';
  if (flags & SHOWPOINT) format[at++] = '#';
  if (field != (FIXED | SCIENTIFIC)) {
    format[at++] = '.';
    format[at++] = '*';
  }
  char conversion = field == FIXED ? 'f' : field == SCIENTIFIC ? 'e' : field == 0 ? 'g' : 'a';
  format[at++] = flags & UPPERCASE ? conversion - 'a' + 'A' : conversion;
  format[at] = 0;
  int written =
      conversion == 'a' ? snprintf(text, size, format, value) : snprintf(text, size, format, precision, value);
  if (written >= size) __fencepost_refuse("a floating-point number of more than 500 characters in a stream");
  *before = text[0] == '-' || text[0] == '+';
  if (conversion == 'a') *before += 2;
  return written;
}

extern "C" int __fencepost_float_value(const char *text, double *value) {
  char *end;
  double number = strtod(text, &end);
  if (end == text || *end) return 0;
  *value = number;
  return 1;
}

/* A program that was compiled with the headers of the system initialises the streams where it includes them. */
extern "C" void _ZNSt8ios_base4InitC1Ev(void *) {}
extern "C" void _ZNSt8ios_base4InitD1Ev(void *) {}
extern "C" void _ZNSt3__18ios_base4InitC1Ev(void *) {}
extern "C" void _ZNSt3__18ios_base4InitD1Ev(void *) {}
