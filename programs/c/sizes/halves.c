/*! check: data-race
 *
 * Two threads write a half each of what a third reads as a whole, before it has waited for both. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
	uint64_t whole;
	uint32_t half[2];
} word;
static atomic_int done[2];

static void *low(void *unused)
{
	(void)unused;
	word.half[0] = 1;
	atomic_store_explicit(&done[0], 1, memory_order_release);
	return 0;
}

static void *high(void *unused)
{
	(void)unused;
	word.half[1] = 2;
	atomic_store_explicit(&done[1], 1, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, low, 0);
	pthread_create(&threads[1], 0, high, 0);
	while (!atomic_load_explicit(&done[0], memory_order_acquire))
		;
	uint64_t seen = word.whole;
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	return seen == 0;
}
