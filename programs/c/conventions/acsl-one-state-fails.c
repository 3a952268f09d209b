/* title: an assertion of ACSL about two variables that is false in one state
 * arguments: check --properties assertions
 * arguments: explore --properties assertions
 * check: assertion
 * explore: assertion
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;

static void *set(void *unused)
{
  x = 1;
  y = 1;
  return unused;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  //@ assert x == y;
  pthread_join(thread, 0);
  return 0;
}
