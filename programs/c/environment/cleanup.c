/* title: pthread_exit runs the functions that clean up
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

static void *worker(void *exits)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	counter = counter < 2 ? counter + 1 : 2;
	if (exits)
		pthread_exit(0);
	pthread_cleanup_pop(1);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(counter <= 2);
	return 0;
}
