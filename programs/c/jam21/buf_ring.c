/* title: FreeBSD's ring of buffers: three threads put a message in and take one out
 * source: GenMC test suite, data-structures/buf_ring; FreeBSD 8.0, sys/buf_ring.h
 * racy: rc11 1218 complete, 6366 blocked
 * note: Indices are volatile, not atomic: a race. `racy` is what there is if races are let pass.
 */
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SLOTS 8

struct end {
	volatile uint32_t head, tail;
};

struct ring {
	struct end in, out;
	int *slots[SLOTS];
};

static struct ring *ring;

/* Takes a place at one end, if the other end is not there. */
static bool reserve(struct end *end, struct end *other, uint32_t distance, uint32_t *place)
{
	*place = end->head;
	uint32_t limit = other->tail;
	uint32_t next = (*place + 1) % SLOTS;
	if ((*place + distance) % SLOTS == limit)
		return false;
	fencepost_assume(__atomic_compare_exchange_n(&end->head, &(uint32_t){*place}, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return true;
}

static bool put(int *message)
{
	uint32_t place;
	if (!reserve(&ring->in, &ring->out, 1, &place))
		return false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	ring->slots[place] = message;
	fencepost_assume(ring->in.tail == place);
	ring->in.tail = (place + 1) % SLOTS;
	return true;
}

static int *get(void)
{
	uint32_t place;
	if (!reserve(&ring->out, &ring->in, 0, &place))
		return NULL;
	int *message = __atomic_load_n(&ring->slots[place], __ATOMIC_RELAXED);
	fencepost_assume(ring->out.tail == place);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	ring->out.tail = (place + 1) % SLOTS;
	return message;
}

static void *worker(void *unused)
{
	int *message = malloc(sizeof *message);
	*message = 1;
	if (!put(message))
		*message = 0;
	int *got = get();
	if (got)
		assert(*got == 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	ring = calloc(1, sizeof *ring);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
