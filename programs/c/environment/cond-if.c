/* title: a waiter that does not look again goes on when it wakes up by itself
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <pthread.h>

#ifndef WAIT
#define WAIT if
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *unused)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, produce, 0);
	pthread_mutex_lock(&mutex);
	WAIT (!ready)
		pthread_cond_wait(&changed, &mutex);
	assert(ready == 1);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
