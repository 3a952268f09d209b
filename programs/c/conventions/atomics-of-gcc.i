/* title: a preprocessed file whose <stdatomic.h> was that of gcc
 * check: holds
 * explore: holds
 */
# 1 "atomics-of-gcc.c"
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void abort(void);
_Atomic int ready, count;
_Atomic(int *) last;
static int data;
void *sender(void *unused)
{
  int linux = 5;
  data = linux;
  __extension__({
    __auto_type pointer = (&ready);
    __typeof__((void)0, *pointer) value = (1);
    __atomic_store(pointer, &value, (3));
  });
  __atomic_fetch_add((&count), (1), (5));
  return 0;
}
int main()
{
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  int seen = __extension__({
    __auto_type pointer = (&ready);
    __typeof__((void)0, *pointer) value;
    __atomic_load(pointer, &value, (2));
    value;
  });
  if (seen && data != 5) abort();
  int expected = 0;
  int first = __extension__({
    __auto_type pointer = (&count);
    __typeof__((void)0, *pointer) desired = (7);
    __atomic_compare_exchange(pointer, (&expected), &desired, 0, (5), (5));
  });
  pthread_join(thread, 0);
  if (__atomic_load_n((int *)&count, 5) != (first ? 8 : 1)) abort();
  int *old = __extension__({
    __auto_type pointer = (&last);
    __typeof__((void)0, *pointer) value = (&data), before;
    __atomic_exchange(pointer, &value, &before, (5));
    before;
  });
  if (old) abort();
  return 0;
}
