/*! expect: holds
 *
 * `exit` in one thread ends the program: who waits for ever has not been cut off, and what comes later does not come. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
	(void)unused;
	exit(0);
	assert(0);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&lock);
	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	pthread_mutex_lock(&lock);
	assert(0);
	return 0;
}
