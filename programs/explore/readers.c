/* readers.fp in C. */
#include <pthread.h>
#include <stdatomic.h>

#define N 13

static atomic_int x;

static void *writer(void *unused)
{
	(void)unused;
	atomic_store_explicit(&x, 42, memory_order_release);
	return NULL;
}

static void *reader(void *unused)
{
	(void)unused;
	atomic_load_explicit(&x, memory_order_acquire);
	return NULL;
}

int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[0], NULL, writer, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i + 1], NULL, reader, NULL);
	return 0;
}
