/* title: Treiber's stack with nodes on the heap: two pushers and a popper
 * source: GenMC test suite, data-structures/treiber-stack-dynamic; Treiber, 1986
 * expect: rc11 holds, 8 complete, 8 blocked
 * expect: jam21 holds, 8 complete, 8 blocked
 * note: A round that fails is cut off, in push too: what it has written, nobody else can read. Hazard pointers are left
 * note: out: nothing is freed.
 */
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
	int value;
	_Atomic(struct node *) below;
};

static _Atomic(struct node *) top;
static atomic_int payload[2];

static void *pusher(void *argument)
{
	int self = (int)(intptr_t)argument;
	atomic_store_explicit(&payload[self], 42, memory_order_relaxed);
	struct node *node = malloc(sizeof *node);
	node->value = self;
	struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
	atomic_store_explicit(&node->below, seen, memory_order_relaxed);
	fencepost_assume(atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_release, memory_order_relaxed));
	return NULL;
}

static void *popper(void *unused)
{
	struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
	if (!seen)
		return NULL;
	struct node *below = atomic_load_explicit(&seen->below, memory_order_relaxed);
	fencepost_assume(atomic_compare_exchange_strong_explicit(&top, &seen, below, memory_order_release, memory_order_relaxed));
	if (seen->value)
		atomic_load_explicit(&payload[1], memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, pusher, (void *)0);
	pthread_create(&threads[1], NULL, pusher, (void *)1);
	pthread_create(&threads[2], NULL, popper, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
