/* title: sequence lock, whose data are relaxed atomics
 * source: H.-J. Boehm: Can Seqlocks Get Along With Programming Language Memory Models?, 2012
 * expect: rc11 holds, 3 complete, 78 blocked
 * expect: sc holds, 3 complete, 64 blocked
 * check: observationally-robust
 * broken: -DWITHOUT_READ_FENCE assertion
 * broken: -DWITHOUT_WRITE_FENCE assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void write_both(int value)
{
	unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
	atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
#ifndef WITHOUT_WRITE_FENCE
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&low, value, memory_order_relaxed);
	atomic_store_explicit(&high, value, memory_order_relaxed);
	atomic_store_explicit(&sequence, before + 2, memory_order_release);
}

static void *writer(void *unused)
{
	write_both(1);
	write_both(2);
	return NULL;
}

static void *reader(void *unused)
{
	unsigned before, after;
	int l, h;
	do {
		before = atomic_load_explicit(&sequence, memory_order_acquire);
		l = atomic_load_explicit(&low, memory_order_relaxed);
		h = atomic_load_explicit(&high, memory_order_relaxed);
#ifndef WITHOUT_READ_FENCE
		atomic_thread_fence(memory_order_acquire);
#endif
		after = atomic_load_explicit(&sequence, memory_order_relaxed);
	} while (before != after || before & 1);
	assert(l == h); /* assertion */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
