/* title: a plain access outside of all sections that conflicts with a section is a data race
 * check: data-race
 * explore: data-race
 */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *other(void *unused)
{
  x++;
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  __VERIFIER_atomic_begin();
  x++;
  x++;
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return 0;
}
