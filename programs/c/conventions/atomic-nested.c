/* title: sections within each other, and those of functions that call themselves, are one
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int x;

static int __VERIFIER_atomic_add(int count)
{
  atomic_store(&x, atomic_load(&x) + 1);
  return count > 1 ? __VERIFIER_atomic_add(count - 1) : atomic_load(&x);
}

static void *other(void *unused)
{
  int seen = atomic_load(&x);
  assert(seen == 0 || seen == 3);
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_add(2);
  atomic_store(&x, atomic_load(&x) + 1);
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return 0;
}
