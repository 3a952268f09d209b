/* title: pthread_cond_t: who waits in a loop sees the condition
 * expect: rc11 holds, 9 complete, 42 blocked
 * broken: -DWAIT=if assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef WAIT
#define WAIT while
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	WAIT (stage != 2)
		pthread_cond_wait(&changed, &mutex);
	assert(stage == 2); /* assertion */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		stage++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	pthread_join(thread, NULL);
	return 0;
}
