/* title: the mutex that a wait with a time limit takes again has none: this is a deadlock
 * check: deadlock
 * explore: deadlock
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *keep(void *unused)
{
	pthread_mutex_lock(&mutex);
	return 0;
}

int main(void)
{
	pthread_t thread;
	struct timespec limit = { 1, 0 };
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, 0, keep, 0);
	pthread_cond_timedwait(&changed, &mutex, &limit);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
