/* title: an error of another thread comes before an assumption
 * check: assertion
 * explore: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void assume(int);
static atomic_int x;

static void *other(void *unused)
{
  assert(atomic_load(&x) == 1);
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  atomic_store(&x, 1);
  assume(0);
  pthread_join(thread, 0);
  return 0;
}
