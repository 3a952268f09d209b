/* Bytes and strings, and what printing reads of them. */

/* Copies in the largest units that fit both addresses, which is how most data is accessed. */
void *memcpy(void *to, const void *from, size_type size) {
  char *t = to;
  const char *f = from;
  while (size > 0) {
    size_type both = (size_type)t | (size_type)f;
    if (size >= 8 && both % 8 == 0) {
      *(long *)t = *(const long *)f;
      t += 8, f += 8, size -= 8;
    } else if (size >= 4 && both % 4 == 0) {
      *(int *)t = *(const int *)f;
      t += 4, f += 4, size -= 4;
    } else {
      *t++ = *f++;
      size--;
    }
  }
  return to;
}

void *memmove(void *to, const void *from, size_type size) {
  char *t = to;
  const char *f = from;
  if (t <= f || t >= f + size) return memcpy(to, from, size);
  while (size > 0) {
    size_type both = (size_type)(t + size) | (size_type)(f + size);
    if (size >= 8 && both % 8 == 0) {
      size -= 8;
      *(long *)(t + size) = *(const long *)(f + size);
    } else if (size >= 4 && both % 4 == 0) {
      size -= 4;
      *(int *)(t + size) = *(const int *)(f + size);
    } else {
      size--;
      t[size] = f[size];
    }
  }
  return to;
}

void *memset(void *to, int byte, size_type size) {
  char *t = to;
  long word = (byte & 0xff) * 0x0101010101010101;
  while (size > 0) {
    if (size >= 8 && (size_type)t % 8 == 0) {
      *(long *)t = word;
      t += 8, size -= 8;
    } else if (size >= 4 && (size_type)t % 4 == 0) {
      *(int *)t = (int)word;
      t += 4, size -= 4;
    } else {
      *t++ = (char)byte;
      size--;
    }
  }
  return to;
}

int memcmp(const void *a, const void *b, size_type size) {
  const unsigned char *x = a, *y = b;
  while (size > 0) {
    size_type both = (size_type)x | (size_type)y, step = 1, left, right;
    if (size >= 8 && both % 8 == 0) {
      step = 8, left = __builtin_bswap64(*(const size_type *)x), right = __builtin_bswap64(*(const size_type *)y);
    } else if (size >= 4 && both % 4 == 0) {
      step = 4, left = __builtin_bswap32(*(const unsigned *)x), right = __builtin_bswap32(*(const unsigned *)y);
    } else {
      left = *x, right = *y;
    }
    if (left != right) return left < right ? -1 : 1;
    x += step, y += step, size -= step;
  }
  return 0;
}

size_type strlen(const char *text) {
  size_type length = 0;
  while (text[length]) length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  for (; *a && *a == *b; a++, b++) {}
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_type size) {
  for (; size > 0 && *a && *a == *b; a++, b++, size--) {}
  return size == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

char *strcpy(char *to, const char *from) {
  for (char *t = to; (*t++ = *from++);) {}
  return to;
}

char *strncpy(char *to, const char *from, size_type size) {
  size_type at = 0;
  for (; at < size && from[at]; at++) to[at] = from[at];
  for (; at < size; at++) to[at] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_type size) {
  char *end = to + strlen(to);
  for (; size > 0 && *from; size--) *end++ = *from++;
  *end = 0;
  return to;
}

size_type strnlen(const char *text, size_type size) {
  size_type length = 0;
  while (length < size && text[length]) length++;
  return length;
}

char *strchr(const char *text, int byte) {
  for (; *text != (char)byte; text++)
    if (!*text) return NULL;
  return (char *)text;
}

char *strrchr(const char *text, int byte) {
  const char *found = NULL;
  for (;; text++) {
    if (*text == (char)byte) found = text;
    if (!*text) return (char *)found;
  }
}

void *memchr(const void *from, int byte, size_type size) {
  const unsigned char *f = from;
  for (; size > 0; f++, size--)
    if (*f == (unsigned char)byte) return (void *)f;
  return NULL;
}

char *strstr(const char *text, const char *part) {
  size_type length = strlen(part);
  for (; strncmp(text, part, length) != 0; text++)
    if (!*text) return NULL;
  return (char *)text;
}

char *strdup(const char *text) {
  size_type size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* Printing: what it reads. */

void __fencepost_read_string(const char *text, size_type most) {
  if (!PROOF && !text && most > 0) __fencepost_misuse(PRINTS_NULL);
  for (size_type i = 0; i < most && text[i]; i++) {}
}

/* `perror` takes a null pointer. */
void __fencepost_read_optional_string(const char *text) {
  if (text) __fencepost_read_string(text, -1);
}

/* What `vprintf` reads if its format is known only now. */
void __fencepost_read_arguments(const char *format, __builtin_va_list arguments) {
  for (; *format; format++) {
    if (*format != '%') continue;
    size_type most = -1;
    int wide = 0, precise = 0;
    for (format++; strchr("-+ #0123456789.*hlqjztL", *format) && *format; format++) {
      if (*format == 'L') __fencepost_refuse_format();
      if (*format == '.') precise = 1, most = 0;
      if (*format >= '0' && *format <= '9' && precise) most = 10 * most + (*format - '0');
      if (*format == '*') {
        int value = __builtin_va_arg(arguments, int);
        if (precise) most = value < 0 ? -1 : value;
      }
      wide |= *format == 'l';
    }
    switch (*format) {
    case '%':
    case 'm':
      break;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c': case 'p':
      __fencepost_print(__builtin_va_arg(arguments, long));
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      __fencepost_print(__builtin_va_arg(arguments, double) != 0);
      break;
    case 's':
      if (wide) __fencepost_refuse_format();
      __fencepost_read_string(__builtin_va_arg(arguments, const char *), most);
      break;
    default:
      __fencepost_refuse_format();
    }
  }
}
void __fencepost_read_printed(const char *format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  __fencepost_read_arguments(format, arguments);
  __builtin_va_end(arguments);
}
