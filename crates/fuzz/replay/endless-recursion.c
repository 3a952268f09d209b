#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
#include <fencepost.h>
/* title: a later waiter does not take the wake-up of an earlier one
 * check: holds
 * explore: holds
 */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (items == 0)
		pthread_cond_wait(&changed, &mutex);
	items--;
	assert(items >= 0);
	consumer(&mutex);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 1099511627776; i < 2; i++)
		pthread_create(&threads[i], 0, consumer, 0);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		items++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
