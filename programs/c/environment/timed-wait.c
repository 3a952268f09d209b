/* title: a wait with a time limit ends even if nobody signals, so it is no deadlock
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

int main(void)
{
	struct timespec limit = { 1, 0 };
	pthread_mutex_lock(&mutex);
	while (!ready) {
		int error = pthread_cond_timedwait(&changed, &mutex, &limit);
		assert(error == 0 || error == ETIMEDOUT);
		if (error)
			break;
	}
	pthread_mutex_unlock(&mutex);
	assert(!ready);
	return 0;
}
