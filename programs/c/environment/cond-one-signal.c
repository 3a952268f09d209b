/* title: one signal for two waiters wakes one of them only
 * check: deadlock
 * explore: deadlock
 */
#include <pthread.h>

#ifndef WAKE
#define WAKE pthread_cond_signal
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, waiter, 0);
	pthread_mutex_lock(&mutex);
	ready = 1;
	WAKE(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
