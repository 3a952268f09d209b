/* fib_bench.fp in C. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NUM 5

static atomic_int x = 1, y = 1;

static void step(atomic_int *mine)
{
	int a = atomic_load_explicit(&x, memory_order_acquire);
	int b = atomic_load_explicit(&y, memory_order_acquire);
	atomic_store_explicit(mine, a + b, memory_order_release);
}

static void *first(void *unused)
{
	(void)unused;
	for (int i = 0; i < NUM; i++)
		step(&x);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	for (int i = 0; i < NUM; i++)
		step(&y);
	return NULL;
}

static void *looking(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&x, memory_order_acquire) > 144)
		assert(0);
	if (atomic_load_explicit(&y, memory_order_acquire) > 144)
		assert(0);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_create(&threads[2], NULL, looking, NULL);
	return 0;
}
