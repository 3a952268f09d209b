/* title: test-and-test-and-set lock whose inner loop only spends time: two threads
 * source: GenMC test suite, data-structures/ttaslock-opt
 * expect: rc11 holds, 2 complete, 2 blocked
 * expect: jam21 holds, 2 complete, 2 blocked
 * note: The original marks the inner loop as optional. It is left out here, as if the tool had never taken it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int locked;
static int shared;

static void *worker(void *argument)
{
	int self = (int)(intptr_t)argument;
	while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
		;
	shared = self;
	assert(shared == self);
	atomic_store_explicit(&locked, 0, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
