/* title: queue of Michael and Scott, without reclamation
 * source: M. Michael, M. Scott: Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue Algorithms, 1996
 * expect: rc11 holds, 34 complete, 16 blocked
 * expect: sc holds, 34 complete, 16 blocked
 * check: robust
 * broken: -DLINK=memory_order_relaxed race
 * broken: -DFOLLOW=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef LINK
#define LINK memory_order_release
#endif
#ifndef FOLLOW
#define FOLLOW memory_order_acquire
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct {
	_Atomic(struct node *) head;
	_Atomic(struct node *) tail;
} queue;

static bool move(_Atomic(struct node *) *from, struct node *expected, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(from, &expected, to, memory_order_release, memory_order_relaxed);
}

static void enqueue(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value; /* race */
	atomic_init(&node->next, NULL); /* race */
	for (;;) {
		struct node *tail = atomic_load_explicit(&queue.tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&tail->next, FOLLOW); /* race */
		if (next) {
			move(&queue.tail, tail, next);
			continue;
		}
		if (atomic_compare_exchange_strong_explicit(&tail->next, &next, node, LINK, memory_order_relaxed)) {
			move(&queue.tail, tail, node);
			return;
		}
	}
}

static bool dequeue(int *value)
{
	for (;;) {
		struct node *head = atomic_load_explicit(&queue.head, memory_order_acquire);
		struct node *tail = atomic_load_explicit(&queue.tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&head->next, FOLLOW); /* race */
		if (!next)
			return false;
		if (head == tail)
			move(&queue.tail, tail, next);
		*value = next->value; /* race */
		if (move(&queue.head, head, next))
			return true;
	}
}

static void *enqueuer(void *unused)
{
	enqueue(1);
	return NULL;
}

static void *dequeuer(void *unused)
{
	int value;
	if (dequeue(&value))
		assert(value == 1 || value == 2);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct node *dummy = malloc(sizeof *dummy);
	atomic_init(&dummy->next, NULL);
	atomic_init(&queue.head, dummy);
	atomic_init(&queue.tail, dummy);
	pthread_create(&threads[0], NULL, enqueuer, NULL);
	pthread_create(&threads[1], NULL, dequeuer, NULL);
	enqueue(2);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
