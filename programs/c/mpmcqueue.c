/* title: bounded queue of many producers and many consumers
 * source: D. Vyukov: Bounded MPMC queue, 1024cores.net
 * expect: rc11 holds, 160 complete, 0 blocked
 * expect: sc holds, 136 complete, 0 blocked
 * check: not-robust
 * broken: -DFILLED=memory_order_relaxed race
 * broken: -DEMPTIED=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef FILLED
#define FILLED memory_order_release
#endif
#ifndef EMPTIED
#define EMPTIED memory_order_release
#endif
#define SLOTS 1u

struct slot {
	atomic_uint turn;
	int value;
};

static struct {
	struct slot slots[SLOTS];
	atomic_uint put;
	atomic_uint get;
} queue;

static bool take_turn(atomic_uint *counter, unsigned mine)
{
	return atomic_compare_exchange_strong_explicit(counter, &mine, mine + 1, memory_order_relaxed, memory_order_relaxed);
}

static bool put(int value)
{
	unsigned mine = atomic_load_explicit(&queue.put, memory_order_relaxed);
	struct slot *slot = &queue.slots[mine % SLOTS];
	if (atomic_load_explicit(&slot->turn, memory_order_acquire) != 2 * mine || !take_turn(&queue.put, mine))
		return false;
	slot->value = value; /* race */
	atomic_store_explicit(&slot->turn, 2 * mine + 1, FILLED);
	return true;
}

static bool get(int *value)
{
	unsigned mine = atomic_load_explicit(&queue.get, memory_order_relaxed);
	struct slot *slot = &queue.slots[mine % SLOTS];
	if (atomic_load_explicit(&slot->turn, memory_order_acquire) != 2 * mine + 1 || !take_turn(&queue.get, mine))
		return false;
	*value = slot->value; /* race */
	atomic_store_explicit(&slot->turn, 2 * (mine + SLOTS), EMPTIED);
	return true;
}

static void *producer(void *value)
{
	put(value ? 1 : 2);
	return NULL;
}

static void *consumer(void *unused)
{
	int value;
	if (get(&value))
		assert(value == 1 || value == 2);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	pthread_create(&threads[0], NULL, producer, NULL);
	pthread_create(&threads[1], NULL, producer, &queue);
	pthread_create(&threads[2], NULL, consumer, NULL);
	pthread_create(&threads[3], NULL, consumer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
