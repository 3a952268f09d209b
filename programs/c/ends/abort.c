/*! expect: assertion
 *
 * One thread gives up when it sees that the other was faster. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first;

static void *racer(void *unused)
{
	(void)unused;
	if (atomic_exchange(&first, 1))
		abort();
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, racer, 0);
	racer(0);
	pthread_join(thread, 0);
	return 0;
}
