/* What glibc's headers call with -D_FORTIFY_SOURCE: the room that there is comes last. Too little of it ends the program. */

#define CHECKED_COPY(name)                                                                \
  void *__##name##_chk(void *to, const void *from, size_type size, size_type room) {      \
    must_fit(size, room);                                                                 \
    return name(to, from, size);                                                          \
  }
CHECKED_COPY(memcpy)
CHECKED_COPY(memmove)
CHECKED_COPY(mempcpy)
void *__memset_chk(void *to, int byte, size_type size, size_type room) {
  must_fit(size, room);
  return memset(to, byte, size);
}
char *__strcpy_chk(char *to, const char *from, size_type room) {
  must_fit(strlen(from) + 1, room);
  return strcpy(to, from);
}
char *__stpcpy_chk(char *to, const char *from, size_type room) {
  must_fit(strlen(from) + 1, room);
  return stpcpy(to, from);
}
char *__strncpy_chk(char *to, const char *from, size_type size, size_type room) {
  must_fit(size, room);
  return strncpy(to, from, size);
}
char *__stpncpy_chk(char *to, const char *from, size_type size, size_type room) {
  must_fit(size, room);
  return stpncpy(to, from, size);
}
char *__strcat_chk(char *to, const char *from, size_type room) {
  must_fit(strlen(to) + strlen(from) + 1, room);
  return strcat(to, from);
}
char *__strncat_chk(char *to, const char *from, size_type size, size_type room) {
  must_fit(strlen(to) + strnlen(from, size) + 1, room);
  return strncat(to, from, size);
}
size_type __strlcpy_chk(char *to, const char *from, size_type size, size_type room) {
  must_fit(size, room);
  return strlcpy(to, from, size);
}
