/*! check: robust
 *
 * A pair is accessed atomically as a whole by two threads; before and after, it is written and read by its fields. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct pair {
	uint16_t a, b;
};
struct cell {
	_Atomic(struct pair) pair;
};

static void *increment(void *argument)
{
	struct cell *cell = argument;
	struct pair old = atomic_load_explicit(&cell->pair, memory_order_relaxed), new;
	do {
		new.a = old.a + 1;
		new.b = old.b + 2;
	} while (!atomic_compare_exchange_strong_explicit(&cell->pair, &old, new, memory_order_relaxed,
							  memory_order_relaxed));
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	struct cell *cell = malloc(sizeof *cell);
	struct pair *fields = (struct pair *)&cell->pair;
	fields->a = 3;
	fields->b = 5;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, increment, cell);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(fields->a == 5 && fields->b == 9);
	free(cell);
	return 0;
}
