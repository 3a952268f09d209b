/* title: a preprocessed file whose headers were those of gcc and glibc 2.34
 * check: holds
 * explore: holds
 */
# 1 "deallocators.c"
# 1 "/usr/include/stdlib.h" 1 3 4
typedef unsigned long size_t;
extern void free(void *pointer);
extern void *malloc(size_t size) __attribute__((__nothrow__)) __attribute__((__malloc__)) __attribute__((__alloc_size__(1)));
extern void *calloc(size_t count, size_t size) __attribute__((__malloc__(free, 1)));
extern void abort(void);
# 5 "deallocators.c" 2
int main()
{
  int linux = 7, *p = malloc(sizeof *p), *q = calloc(1, sizeof *q);
  *p = *q + linux;
  if (*p != 7) abort();
  free(p);
  free(q);
  return 0;
}
