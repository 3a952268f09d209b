/*! expect: deadlock
 *
 * A thread waits for a lock that nobody gives back. Another one goes round a loop without an exit: it will not wake the first. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	return NULL;
}

static void *spins(void *unused)
{
	(void)unused;
	for (;;) {
	}
}

int main(void)
{
	pthread_t waiting, spinning;
	pthread_mutex_lock(&lock);
	pthread_create(&waiting, NULL, waits, NULL);
	pthread_create(&spinning, NULL, spins, NULL);
	pthread_join(waiting, NULL);
	return 0;
}
