/* title: a thread may have ended when another one looks, whether or not somebody waits for it later
 * check: assertion
 * explore: assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused)
{
  return unused;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  assert(pthread_tryjoin_np(thread, 0) != 0);
  return 0;
}
