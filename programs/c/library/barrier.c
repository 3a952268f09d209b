/* title: pthread_barrier_t: two rounds, one serial thread in each
 * expect: rc11 holds, 4 complete, 6 blocked
 * broken: -DWITHOUT_SECOND_ROUND race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int cells[2];
static atomic_int serial;

static void wait(void)
{
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
}

static void *worker(void *argument)
{
	int self = (int)(intptr_t)argument;
	cells[self] = 1; /* race */
	wait();
	int other = cells[1 - self]; /* race */
#ifndef WITHOUT_SECOND_ROUND
	wait();
#endif
	cells[self] += other; /* race */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(cells[0] == 2 && cells[1] == 2 && serial == 2);
	return 0;
}
