/* ainc.fp in C. */
#include <pthread.h>
#include <stdatomic.h>

#define N 7

static atomic_int x;

static void *worker(void *unused)
{
	(void)unused;
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	return 0;
}
