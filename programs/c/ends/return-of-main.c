/*! expect: assertion
 *
 * `main` may return while another thread is still about to fail. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *worker(void *unused)
{
	(void)unused;
	assert(atomic_load(&ready));
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, 0);
	atomic_store(&ready, 1);
	return 0;
}
