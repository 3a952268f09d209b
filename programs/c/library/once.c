/* title: pthread_once: what it has run happens before all that comes after
 * expect: rc11 holds, 10 complete, 4 blocked
 * broken: -DBY_HAND race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, runs;

static void initialise(void)
{
	table = 42; /* race */
	runs++; /* race */
}

static void *worker(void *unused)
{
#ifdef BY_HAND
	static atomic_int started;
	if (!atomic_exchange(&started, 1))
		initialise();
#else
	pthread_once(&once, initialise);
#endif
	assert(table == 42); /* race */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(runs == 1);
	return 0;
}
