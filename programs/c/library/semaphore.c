/* title: sem_t: a semaphore of one is a lock, one of two is not
 * expect: rc11 holds, 2 complete, 2 blocked
 * broken: -DPERMITS=2 race
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef PERMITS
#define PERMITS 1
#endif

static sem_t semaphore;
static int counter;

static void *worker(void *unused)
{
	sem_wait(&semaphore);
	counter++; /* race */
	sem_post(&semaphore);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, PERMITS);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	int value;
	sem_getvalue(&semaphore, &value);
	assert(counter == 2 && value == 1);
	return 0;
}
