/* title: lock for readers and writers in one word
 * expect: rc11 holds, 4 complete, 2 blocked
 * expect: sc holds, 4 complete, 2 blocked
 * check: robust
 * broken: -DREAD_UNLOCK=memory_order_relaxed race
 * broken: -DREAD_LOCK=memory_order_relaxed race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READ_LOCK
#define READ_LOCK memory_order_acquire
#endif
#ifndef READ_UNLOCK
#define READ_UNLOCK memory_order_release
#endif
#define WRITER (1 << 16)

static atomic_int word;
static int data;

static void read_lock(void)
{
	while (atomic_fetch_add_explicit(&word, 1, READ_LOCK) >= WRITER) {
		atomic_fetch_sub_explicit(&word, 1, memory_order_relaxed);
		while (atomic_load_explicit(&word, memory_order_relaxed) >= WRITER)
			;
	}
}

static void read_unlock(void)
{
	atomic_fetch_sub_explicit(&word, 1, READ_UNLOCK);
}

static void write_lock(void)
{
	int expected = 0;
	while (!atomic_compare_exchange_strong_explicit(&word, &expected, WRITER, memory_order_acquire, memory_order_relaxed))
		expected = 0;
}

static void write_unlock(void)
{
	atomic_fetch_sub_explicit(&word, WRITER, memory_order_release);
}

static void *reader(void *unused)
{
	read_lock();
	int seen = data; /* race */
	read_unlock();
	assert(seen == 0 || seen == 1);
	return NULL;
}

static void *writer(void *unused)
{
	write_lock();
	data = 1; /* race */
	write_unlock();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
