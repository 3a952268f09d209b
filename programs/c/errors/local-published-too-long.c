/*! expect: use-after-free at 26 */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;

static void publish(void)
{
	atomic_int local = 1;
	atomic_store_explicit(&shared, &local, memory_order_release);
	atomic_store_explicit(&shared, NULL, memory_order_release);
}

static void *publisher(void *unused)
{
	publish();
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, publisher, NULL);
	atomic_int *seen = atomic_load_explicit(&shared, memory_order_acquire);
	if (seen)
		atomic_load_explicit(seen, memory_order_relaxed);
	pthread_join(t, NULL);
	return 0;
}
