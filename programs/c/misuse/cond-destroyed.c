/*! expect: misuse at 21 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int done;

static void *last(void *unused)
{
	pthread_cond_destroy(&cond);
	atomic_store_explicit(&done, 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t t;
	
	pthread_create(&t, NULL, last, NULL);
	if (atomic_load_explicit(&done, memory_order_acquire))
		pthread_cond_signal(&cond);
	pthread_join(t, NULL);
	return 0;
}
