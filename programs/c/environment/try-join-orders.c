/* title: what a thread did comes before a pthread_tryjoin_np that succeeds
 * check: holds
 * explore: holds
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
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
  if (pthread_tryjoin_np(thread, 0) == 0) assert(x == 1);
  return 0;
}
