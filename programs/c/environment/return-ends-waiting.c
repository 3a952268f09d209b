/* title: a thread that waits when main returns is not in a deadlock
 * check: holds
 * explore: holds
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused)
{
	pthread_mutex_lock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, 0, run, 0);
	pthread_detach(thread);
	return 0;
}
