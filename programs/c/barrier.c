/* title: sense-reversing barrier, used twice
 * expect: rc11 holds, 4 complete, 6 blocked
 * expect: sc holds, 4 complete, 6 blocked
 * check: robust
 * broken: -DARRIVE=memory_order_relaxed race
 * broken: -DARRIVE=memory_order_acquire race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef ARRIVE
#define ARRIVE memory_order_acq_rel
#endif
#define THREADS 2

static struct {
	atomic_int missing;
	atomic_bool sense;
} barrier = {THREADS, false};
static int cells[THREADS];
static _Thread_local bool sense;

static void wait(void)
{
	sense = !sense;
	if (atomic_fetch_sub_explicit(&barrier.missing, 1, ARRIVE) == 1) {
		atomic_store_explicit(&barrier.missing, THREADS, memory_order_relaxed);
		atomic_store_explicit(&barrier.sense, sense, memory_order_release);
		return;
	}
	while (atomic_load_explicit(&barrier.sense, memory_order_acquire) != sense)
		;
}

static void *worker(void *argument)
{
	int self = (int)(intptr_t)argument;
	cells[self] = 1; /* race */
	wait();
	int other = cells[1 - self]; /* race */
	wait();
	cells[self] = 2 * other; /* race */
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(cells[0] == 2 && cells[1] == 2);
	return 0;
}
