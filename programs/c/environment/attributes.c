/* title: attributes of threads and locks are kept; a robust mutex is refused
 * check: refused, a robust mutex
 * explore: refused, a robust mutex
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
	pthread_attr_t thread;
	size_t size;
	pthread_attr_init(&thread);
	assert(pthread_attr_setstacksize(&thread, 1 << 20) == 0);
	assert(pthread_attr_getstacksize(&thread, &size) == 0 && size == 1 << 20);
	pthread_attr_destroy(&thread);
	pthread_condattr_t condition;
	clockid_t clock;
	pthread_condattr_init(&condition);
	assert(pthread_condattr_setclock(&condition, CLOCK_MONOTONIC) == 0);
	assert(pthread_condattr_getclock(&condition, &clock) == 0 && clock == CLOCK_MONOTONIC);
	pthread_mutexattr_t mutex;
	int kind;
	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
	assert(pthread_mutexattr_gettype(&mutex, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
	return 0;
}
