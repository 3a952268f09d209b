/* What strings of wide characters are made with. */

extern "C" wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_type size) {
  for (size_type i = 0; i < size; i++) to[i] = from[i];
  return to;
}
extern "C" wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_type size) {
  if (to <= from || to >= from + size) return wmemcpy(to, from, size);
  while (size-- > 0) to[size] = from[size];
  return to;
}
extern "C" wchar_t *wmemset(wchar_t *to, wchar_t c, size_type size) {
  for (size_type i = 0; i < size; i++) to[i] = c;
  return to;
}
extern "C" int wmemcmp(const wchar_t *a, const wchar_t *b, size_type size) {
  for (size_type i = 0; i < size; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
extern "C" wchar_t *wmemchr(const wchar_t *from, wchar_t c, size_type size) {
  for (size_type i = 0; i < size; i++)
    if (from[i] == c) return const_cast<wchar_t *>(from) + i;
  return nullptr;
}
extern "C" size_type wcslen(const wchar_t *text) {
  size_type length = 0;
  while (text[length]) length++;
  return length;
}
extern "C" int wcscmp(const wchar_t *a, const wchar_t *b) {
  for (; *a && *a == *b; a++, b++) {
  }
  return *a == *b ? 0 : *a < *b ? -1 : 1;
}
