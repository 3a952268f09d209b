/*! expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *worker(void *unused)
{
	(void)unused;
	int *mine = atomic_exchange(&shared, NULL);
	if (!mine)
		return 0;
	free(mine);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	atomic_store(&shared, malloc(sizeof(int)));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
