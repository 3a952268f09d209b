/*! expect: holds */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int done;

static void *last(void *unused)
{
	pthread_mutex_destroy(&lock);
	atomic_store_explicit(&done, 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_mutex_init(&lock, NULL);
	pthread_create(&t, NULL, last, NULL);
	if (atomic_load_explicit(&done, memory_order_acquire))
		pthread_mutex_init(&lock, NULL);
	pthread_join(t, NULL);
	return 0;
}
