/*! expect: misuse at 21 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int done;

static void *last(void *unused)
{
	pthread_barrier_destroy(&barrier);
	atomic_store_explicit(&done, 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, last, NULL);
	if (atomic_load_explicit(&done, memory_order_acquire))
		pthread_barrier_wait(&barrier);
	pthread_join(t, NULL);
	return 0;
}
