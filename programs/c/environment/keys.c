/* title: each thread has its own value under a key, and the destructor gets it at the end of the thread
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value)
{
	free(value);
	__atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
}

static void *worker(void *exits)
{
	int *value = malloc(sizeof *value);
	*value = 7;
	pthread_setspecific(key, value);
	assert(*(int *)pthread_getspecific(key) == 7);
	if (exits)
		pthread_exit(0);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	pthread_key_create(&key, destroy);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(!pthread_getspecific(key));
	return 0;
}
