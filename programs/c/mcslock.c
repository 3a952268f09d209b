/* title: MCS lock
 * source: J. Mellor-Crummey, M. Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, 1991
 * expect: rc11 holds, 6 complete, 6 blocked
 * expect: sc holds, 6 complete, 6 blocked
 * check: robust
 * broken: -DHANDOVER=memory_order_relaxed race
 * broken: -DENQUEUE=memory_order_release race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef HANDOVER
#define HANDOVER memory_order_release
#endif
#ifndef ENQUEUE
#define ENQUEUE memory_order_acq_rel
#endif

struct waiter {
	_Atomic(struct waiter *) next;
	atomic_bool waits;
};

static _Atomic(struct waiter *) tail;
static int counter;

static void lock(struct waiter *self)
{
	atomic_store_explicit(&self->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&self->waits, true, memory_order_relaxed);
	struct waiter *before = atomic_exchange_explicit(&tail, self, ENQUEUE);
	if (!before)
		return;
	atomic_store_explicit(&before->next, self, memory_order_release);
	while (atomic_load_explicit(&self->waits, memory_order_acquire))
		;
}

static void unlock(struct waiter *self)
{
	struct waiter *next = atomic_load_explicit(&self->next, memory_order_acquire);
	if (!next) {
		struct waiter *expected = self;
		if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release, memory_order_relaxed))
			return;
		while (!(next = atomic_load_explicit(&self->next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&next->waits, false, HANDOVER);
}

static void *worker(void *unused)
{
	struct waiter self;
	lock(&self);
	counter++; /* race */
	unlock(&self);
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
