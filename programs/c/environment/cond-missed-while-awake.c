/* title: a signal without the mutex finds nobody, because the waiter has woken up by itself and looks
 * arguments: check --properties deadlocks
 * check: deadlock
 * explore: deadlock
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static int waiting;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	waiting = 1;
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, waiter, 0);
	pthread_mutex_lock(&mutex);
	if (!waiting)
		ready = 1;
	pthread_mutex_unlock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_join(thread, 0);
	return 0;
}
