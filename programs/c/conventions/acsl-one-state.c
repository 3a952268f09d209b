/* title: an assertion of ACSL is about one state, not about values that are read one after the other
 * arguments: check --properties assertions
 * arguments: explore --properties assertions
 * check: holds
 * explore: holds
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *set(void *unused)
{
  x = -1;
  return unused;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  //@ assert x < 0 || x == 0;
  pthread_join(thread, 0);
  return 0;
}
