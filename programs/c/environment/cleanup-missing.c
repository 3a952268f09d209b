/* title: without a function that cleans up, a thread that exits keeps its lock
 * check: deadlock
 * explore: deadlock
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_exit(0);
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	pthread_mutex_lock(&mutex);
	return 0;
}
