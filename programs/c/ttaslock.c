/* title: test-and-test-and-set lock
 * expect: rc11 holds, 4 complete, 4 blocked
 * expect: sc holds, 4 complete, 4 blocked
 * check: robust
 * broken: -DACQUIRE=memory_order_relaxed race
 * broken: -DRELEASE=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_bool locked;
static int counter;

static void lock(void)
{
	do {
		while (atomic_load_explicit(&locked, memory_order_relaxed))
			;
	} while (atomic_exchange_explicit(&locked, true, ACQUIRE));
}

static void unlock(void)
{
	atomic_store_explicit(&locked, false, RELEASE);
}

static void *worker(void *unused)
{
	lock();
	counter++; /* race */
	unlock();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 2);
	return 0;
}
