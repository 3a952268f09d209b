/* title: each thread has its own errno
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t semaphore;

static void *worker(void *unused)
{
	assert(errno == 0);
	assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
	return 0;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, 0, worker, 0);
	errno = 0;
	assert(strtol("99999999999999999999", NULL, 10) > 0 && errno == ERANGE);
	pthread_join(thread, 0);
	assert(errno == ERANGE);
	return 0;
}
