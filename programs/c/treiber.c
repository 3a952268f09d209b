/* title: Treiber's stack
 * source: R. K. Treiber: Systems Programming: Coping with Parallelism, 1986
 * expect: rc11 holds, 20 complete, 0 blocked
 * expect: sc holds, 20 complete, 0 blocked
 * check: robust
 * broken: -DPUSH=memory_order_relaxed race
 * broken: -DPOP=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef POP
#define POP memory_order_acquire
#endif

struct node {
	int value;
	struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value; /* race */
	node->next = atomic_load_explicit(&top, memory_order_relaxed); /* race */
	while (!atomic_compare_exchange_strong_explicit(&top, &node->next, node, PUSH, memory_order_relaxed))
		;
}

static int pop(void)
{
	struct node *node = atomic_load_explicit(&top, POP);
	while (node && !atomic_compare_exchange_strong_explicit(&top, &node, node->next, POP, POP)) /* race */
		;
	return node ? node->value : 0; /* race */
}

static void *pusher(void *value)
{
	push((int)(intptr_t)value);
	return NULL;
}

static void *popper(void *unused)
{
	int value = pop();
	assert(value >= 0 && value <= 2);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, pusher, (void *)1);
	pthread_create(&threads[1], NULL, pusher, (void *)2);
	pthread_create(&threads[2], NULL, popper, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
