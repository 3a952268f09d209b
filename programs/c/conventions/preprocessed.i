/* title: a preprocessed file that was meant for words of 32 bits
 * check: holds
 * explore: holds
 * assumes: `long` and pointers have 64 bits, although the file has a `size_t` of 32 bits
 */
# 1 "preprocessed.c"
# 1 "/usr/include/stdlib.h" 1 3 4
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *pointer);
extern void abort(void);
# 3 "preprocessed.c" 2
int main()
{
  int *p = malloc(sizeof *p);
  *p = 7;
  if (*p != 7) abort();
  free(p);
  return 0;
}
