/* title: locks and semaphores with a time limit are taken, or not; what they protect is safe if the result is looked at
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static int counter;

static void *worker(void *unused)
{
	struct timespec limit = { 1, 0 };
	if (pthread_mutex_timedlock(&mutex, &limit) == 0) {
		int before = counter;
		counter = before + 1;
		assert(counter == before + 1);
		pthread_mutex_unlock(&mutex);
	}
	if (sem_timedwait(&semaphore, &limit))
		assert(errno == ETIMEDOUT);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
