/* title: a wait with a time limit may run out of time although the signal comes
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

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
	struct timespec limit = { 1, 0 };
	pthread_create(&thread, 0, produce, 0);
	pthread_mutex_lock(&mutex);
	while (!ready)
		if (pthread_cond_timedwait(&changed, &mutex, &limit))
			break;
	assert(ready);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
