/* title: atomic accesses outside of all sections do not come in between, by name or through a pointer
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int x, y;

static void increment(atomic_int *counter)
{
  atomic_fetch_add(counter, 1);
}

static void *other(void *unused)
{
  increment(&x);
  assert(atomic_load(&x) != 11);
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  __VERIFIER_atomic_begin();
  int before = atomic_load(&x);
  atomic_store(&x, before + 10);
  increment(&x);
  atomic_store(&x, before + 20);
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  assert(atomic_load(&x) == 21);
  return 0;
}
