/* title: after __goblint_assume_join, a thread has ended
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
#include <goblint.h>
static int x;

static void *set(void *unused)
{
  x = 1;
  return unused;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  __goblint_assume_join(thread);
  assert(x == 1);
  pthread_join(thread, 0);
  return 0;
}
