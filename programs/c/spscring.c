/* title: ring of one producer and one consumer
 * source: L. Lamport: Specifying Concurrent Program Modules, 1983
 * expect: rc11 holds, 9 complete, 12 blocked
 * expect: sc holds, 9 complete, 11 blocked
 * check: not-robust
 * broken: -DPUBLISH=memory_order_relaxed race
 * broken: -DGIVE_BACK=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef GIVE_BACK
#define GIVE_BACK memory_order_release
#endif
#define SLOTS 2
#define ITEMS 3

static struct {
	atomic_uint head;
	atomic_uint tail;
	int slots[SLOTS];
} ring;

static bool put(int value)
{
	unsigned tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
	if (tail - atomic_load_explicit(&ring.head, memory_order_acquire) == SLOTS)
		return false;
	ring.slots[tail % SLOTS] = value; /* race */
	atomic_store_explicit(&ring.tail, tail + 1, PUBLISH);
	return true;
}

static bool get(int *value)
{
	unsigned head = atomic_load_explicit(&ring.head, memory_order_relaxed);
	if (head == atomic_load_explicit(&ring.tail, memory_order_acquire))
		return false;
	*value = ring.slots[head % SLOTS]; /* race */
	atomic_store_explicit(&ring.head, head + 1, GIVE_BACK);
	return true;
}

static void *producer(void *unused)
{
	for (int i = 1; i <= ITEMS; i++)
		while (!put(i))
			;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	for (int i = 1; i <= ITEMS; i++) {
		int value;
		while (!get(&value))
			;
		assert(value == i);
	}
	pthread_join(thread, NULL);
	return 0;
}
