/* title: a lock of atomic functions that assume that it is free
 * arguments: explore --properties assertions,deadlocks
 * arguments: check --properties assertions,deadlocks
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
static int taken, x;

static void __VERIFIER_atomic_take(void)
{
  __VERIFIER_assume(taken == 0);
  taken = 1;
}

static void __VERIFIER_atomic_give(void)
{
  assert(taken == 1);
  taken = 0;
}

static void *worker(void *unused)
{
  __VERIFIER_atomic_take();
  x++;
  __VERIFIER_atomic_give();
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
