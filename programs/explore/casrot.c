/* casrot.fp in C. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 9

static atomic_int x;

static void *worker(void *argument)
{
	int self = (int)(intptr_t)argument;
	int expected = self;
	atomic_compare_exchange_strong_explicit(&x, &expected, self + 1, memory_order_relaxed, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	return 0;
}
