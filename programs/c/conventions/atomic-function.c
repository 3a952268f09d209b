/* title: a function whose name says so is atomic, also against what is outside of all sections
 * arguments: explore --properties assertions --model sc
 * arguments: check --properties assertions
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
static volatile int x, y;

static int __VERIFIER_atomic_both(int value)
{
  if (x > value) return x;
  x = value;
  y = value;
  return 0;
}

static void *other(void *unused)
{
  int b = y, a = x;
  assert(a >= b);
  x = 0;
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  __VERIFIER_atomic_both(1);
  int a = x, b = y;
  assert(b == 1 && (a == 0 || a == 1));
  pthread_join(thread, 0);
  return 0;
}
