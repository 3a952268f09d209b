/*! expect: holds */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *unused)
{
	pthread_barrier_wait(barrier);
	return NULL;
}

int main(void)
{
	pthread_t t;
	for (int i = 0; i < 2; i++) {
		barrier = malloc(sizeof *barrier);
		pthread_barrier_init(barrier, NULL, 2);
		pthread_create(&t, NULL, work, NULL);
		pthread_barrier_wait(barrier);
		pthread_join(t, NULL);
		pthread_barrier_destroy(barrier);
		free(barrier);
	}
	return 0;
}
