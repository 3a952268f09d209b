/* title: a lock inside of a section is refused, outside it is not
 * check: refused, a call of `pthread_mutex_lock` inside of an atomic section
 * explore: refused, a call of `pthread_mutex_lock` inside of an atomic section
 */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void locked(void)
{
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
}

static void __VERIFIER_atomic_step(void)
{
  locked();
}

int main(void)
{
  locked();
  __VERIFIER_atomic_step();
  return 0;
}
