/* title: a lock with a time limit is not always taken
 * check: data-race
 * explore: data-race
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused)
{
	struct timespec limit = { 1, 0 };
	int error = pthread_mutex_timedlock(&mutex, &limit);
	counter++;
	if (!error)
		pthread_mutex_unlock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
