/* What string.h has besides the functions that most programs use, see strings.c. */

void *mempcpy(void *to, const void *from, size_type size) { return (char *)memcpy(to, from, size) + size; }
int bcmp(const void *a, const void *b, size_type size) { return memcmp(a, b, size); }
void bzero(void *to, size_type size) { memset(to, 0, size); }
void explicit_bzero(void *to, size_type size) { memset(to, 0, size); }
void bcopy(const void *from, void *to, size_type size) { memmove(to, from, size); }

void *memccpy(void *to, const void *from, int byte, size_type size) {
  char *t = to;
  const char *f = from;
  for (; size > 0; size--)
    if ((*t++ = *f++) == (char)byte) return t;
  return NULL;
}

void *memrchr(const void *from, int byte, size_type size) {
  const unsigned char *f = from;
  while (size-- > 0)
    if (f[size] == (unsigned char)byte) return (void *)(f + size);
  return NULL;
}

void *rawmemchr(const void *from, int byte) {
  const unsigned char *f = from;
  while (*f != (unsigned char)byte) f++;
  return (void *)f;
}

void *memmem(const void *from, size_type size, const void *part, size_type length) {
  const char *f = from;
  for (; size >= length; f++, size--)
    if (memcmp(f, part, length) == 0) return (void *)f;
  return NULL;
}

char *stpcpy(char *to, const char *from) {
  while ((*to = *from++)) to++;
  return to;
}
char *stpncpy(char *to, const char *from, size_type size) {
  size_type at = 0, end;
  for (; at < size && from[at]; at++) to[at] = from[at];
  for (end = at; at < size; at++) to[at] = 0;
  return to + end;
}

size_type strlcpy(char *to, const char *from, size_type size) {
  size_type at = 0;
  for (; at + 1 < size && from[at]; at++) to[at] = from[at];
  if (size > 0) to[at] = 0;
  return at + strlen(from + at);
}
size_type strlcat(char *to, const char *from, size_type size) {
  size_type length = strnlen(to, size);
  return length == size ? size + strlen(from) : length + strlcpy(to + length, from, size - length);
}

char *strchrnul(const char *text, int byte) {
  while (*text && *text != (char)byte) text++;
  return (char *)text;
}
char *index(const char *text, int byte) { return strchr(text, byte); }
char *rindex(const char *text, int byte) { return strrchr(text, byte); }

static int is_among(char byte, const char *set) {
  for (; *set; set++)
    if (*set == byte) return 1;
  return 0;
}
size_type strspn(const char *text, const char *set) {
  size_type length = 0;
  while (text[length] && is_among(text[length], set)) length++;
  return length;
}
size_type strcspn(const char *text, const char *set) {
  size_type length = 0;
  while (text[length] && !is_among(text[length], set)) length++;
  return length;
}
char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : NULL;
}

char *strtok_r(char *text, const char *set, char **rest) {
  if (!text) text = *rest;
  if (!text) return NULL;
  text += strspn(text, set);
  if (!*text) {
    *rest = text;
    return NULL;
  }
  char *end = text + strcspn(text, set);
  if (*end) *end++ = 0;
  *rest = end;
  return text;
}
char *__strtok_r(char *text, const char *set, char **rest) { return strtok_r(text, set, rest); }
/* One place for all threads: two of them race, as POSIX says. */
static char *rest_of_tokens;
char *strtok(char *text, const char *set) { return strtok_r(text, set, &rest_of_tokens); }
char *strsep(char **text, const char *set) {
  char *token = *text;
  if (!token) return NULL;
  char *end = token + strcspn(token, set);
  if (*end)
    *end++ = 0;
  else
    end = NULL;
  *text = end;
  return token;
}

char *strndup(const char *text, size_type size) {
  size_type length = strnlen(text, size);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}
char *__strdup(const char *text) { return strdup(text); }
char *__strndup(const char *text, size_type size) { return strndup(text, size); }

static int lower(int byte) { return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte; }
int strncasecmp(const char *a, const char *b, size_type size) {
  for (; size > 0; a++, b++, size--) {
    int x = lower((unsigned char)*a), y = lower((unsigned char)*b);
    if (x != y || x == 0) return x - y;
  }
  return 0;
}
int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, -1); }
char *strcasestr(const char *text, const char *part) {
  size_type length = strlen(part);
  for (; strncasecmp(text, part, length) != 0; text++)
    if (!*text) return NULL;
  return (char *)text;
}

/* The locale is "C". */
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
size_type strxfrm(char *to, const char *from, size_type size) {
  size_type length = strlen(from);
  if (length < size) memcpy(to, from, length + 1);
  return length;
}
char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : (char *)path;
}
