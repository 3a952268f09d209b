/* title: a reference count such as Rust's Arc
 * expect: rc11 holds, 8 complete, 0 blocked
 * expect: sc holds, 8 complete, 0 blocked
 * check: robust
 * broken: -DDROP=memory_order_relaxed freed
 * broken: -DWITHOUT_FENCE freed
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef DROP
#define DROP memory_order_release
#endif

struct shared {
	atomic_int references;
	int value;
};

static struct shared *cloned(struct shared *shared)
{
	atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
	return shared;
}

static void drop(struct shared *shared)
{
	if (atomic_fetch_sub_explicit(&shared->references, 1, DROP) != 1)
		return;
#ifndef WITHOUT_FENCE
	atomic_thread_fence(memory_order_acquire);
#endif
	free(shared); /* freed */
}

static void *worker(void *argument)
{
	struct shared *shared = argument;
	assert(shared->value == 42); /* freed */
	drop(shared);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct shared *shared = malloc(sizeof *shared);
	atomic_init(&shared->references, 1);
	shared->value = 42;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, cloned(shared));
	drop(shared);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
