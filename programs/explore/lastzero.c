/* lastzero.fp in C. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 15

static atomic_int cells[N + 1];

static void *reader(void *unused)
{
	int i = N;
	(void)unused;
	while (atomic_load_explicit(&cells[i], memory_order_acquire) != 0)
		i--;
	return NULL;
}

static void *writer(void *argument)
{
	int self = (int)(intptr_t)argument;
	int value = atomic_load_explicit(&cells[self], memory_order_acquire);
	atomic_store_explicit(&cells[self + 1], value + 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[0], NULL, reader, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i + 1], NULL, writer, (void *)(intptr_t)i);
	return 0;
}
