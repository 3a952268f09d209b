/*! expect: holds
 *
 * The same locks, but who comes second leaves the program: no state is left in which all wait. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&b);
	if (pthread_mutex_trylock(&a))
		exit(0);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, 0);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(thread, 0);
	return 0;
}
