/* title: Michael and Scott's queue with nodes on the heap: two enqueuers
 * source: GenMC test suite, data-structures/ms-queue-dynamic; Michael and Scott, PODC 1996
 * expect: rc11 holds, 2 complete, 8 blocked
 * expect: jam21 holds, 2 complete, 8 blocked
 * note: A round that changes nothing is cut off. So is one that would move the tail for somebody else: the original marks
 * note: it as help, and the tool then waits for who is helped. Hazard pointers are left out: nothing is freed.
 */
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) tail;

static void *enqueuer(void *unused)
{
	struct node *node = malloc(sizeof *node);
	node->value = 1;
	atomic_store(&node->next, NULL);
	struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
	struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
	fencepost_assume(atomic_load_explicit(&tail, memory_order_acquire) == last);
	fencepost_assume(next == NULL);
	fencepost_assume(
		atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release, memory_order_relaxed));
	atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct node *dummy = malloc(sizeof *dummy);
	atomic_init(&dummy->next, NULL);
	atomic_init(&tail, dummy);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, enqueuer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
