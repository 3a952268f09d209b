/* title: test-and-set lock
 * expect: rc11 holds, 6 complete, 18 blocked
 * expect: sc holds, 6 complete, 18 blocked
 * check: robust
 * broken: -DACQUIRE=memory_order_relaxed race
 * broken: -DRELEASE=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_int locked;
static int counter;

static void lock(void)
{
	while (atomic_exchange_explicit(&locked, 1, ACQUIRE))
		;
}

static void unlock(void)
{
	atomic_store_explicit(&locked, 0, RELEASE);
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
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 3);
	return 0;
}
