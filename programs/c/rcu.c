/* title: read-copy-update, with a flag for each reader
 * source: M. Desnoyers and others: User-Level Implementations of Read-Copy Update, 2012
 * expect: rc11 holds, 3 complete, 2 blocked
 * expect: sc holds, 3 complete, 2 blocked
 * check: robust
 * broken: -DWITHOUT_READER_FENCE freed
 * broken: -DWITHOUT_UPDATER_FENCE freed
 * broken: -DLEAVE=memory_order_relaxed freed
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef LEAVE
#define LEAVE memory_order_release
#endif

struct config {
	int low, high;
};

static _Atomic(struct config *) current;
static atomic_bool reading;

static struct config *make(int value)
{
	struct config *config = malloc(sizeof *config);
	config->low = config->high = value;
	return config;
}

static void *reader(void *unused)
{
	atomic_store_explicit(&reading, true, memory_order_relaxed);
#ifndef WITHOUT_READER_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	struct config *config = atomic_load_explicit(&current, memory_order_acquire);
	assert(config->low == config->high); /* freed */
	atomic_store_explicit(&reading, false, LEAVE);
	return NULL;
}

static void *updater(void *unused)
{
	struct config *old = atomic_load_explicit(&current, memory_order_relaxed);
	atomic_store_explicit(&current, make(2), memory_order_release);
#ifndef WITHOUT_UPDATER_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	while (atomic_load_explicit(&reading, memory_order_acquire))
		;
	free(old); /* freed */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	atomic_init(&current, make(1));
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, updater, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
