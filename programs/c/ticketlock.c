/* title: ticket lock
 * expect: rc11 holds, 6 complete, 24 blocked
 * expect: sc holds, 6 complete, 24 blocked
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

static struct {
	atomic_uint next;
	atomic_uint serving;
} ticketlock;
static int counter;

static void lock(void)
{
	unsigned mine = atomic_fetch_add_explicit(&ticketlock.next, 1, memory_order_relaxed);
	while (atomic_load_explicit(&ticketlock.serving, ACQUIRE) != mine)
		;
}

static void unlock(void)
{
	unsigned mine = atomic_load_explicit(&ticketlock.serving, memory_order_relaxed);
	atomic_store_explicit(&ticketlock.serving, mine + 1, RELEASE);
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
