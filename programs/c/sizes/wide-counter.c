/*! check: robust
 *
 * Two threads add to an integer of 16 bytes, each in its own way. The sum carries into the high half, and a third value
 * is never seen. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef unsigned __int128 wide;

#define STEP ((wide)1 << 64 | UINT64_MAX)

static _Atomic wide sum;
static wide last;

static void *add(void *unused)
{
	(void)unused;
	atomic_fetch_add_explicit(&sum, STEP, memory_order_relaxed);
	return 0;
}

static void *exchange(void *unused)
{
	(void)unused;
	wide old = atomic_load_explicit(&sum, memory_order_relaxed);
	assert(old == 0 || old == STEP);
	while (!atomic_compare_exchange_weak_explicit(&sum, &old, old + STEP, memory_order_relaxed, memory_order_relaxed))
		;
	__sync_val_compare_and_swap(&last, (wide)0, old + STEP);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, add, 0);
	pthread_create(&threads[1], 0, exchange, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(sum == 2 * STEP);
	assert((uint64_t)sum == UINT64_MAX - 1 && (uint64_t)(sum >> 64) == 3);
	assert(last == STEP || last == 2 * STEP);
	return 0;
}
