/*! expect: use-after-free at 14 */
/* The reader gets the pointer by a relaxed read, so that the memory need not be there yet for it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;

static void *reader(void *unused)
{
	(void)unused;
	atomic_int *p = atomic_load_explicit(&shared, memory_order_relaxed);
	if (p)
		atomic_load_explicit(p, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, reader, 0);
	atomic_int *p = malloc(sizeof *p);
	atomic_store_explicit(p, 1, memory_order_relaxed);
	atomic_store_explicit(&shared, p, memory_order_release);
	pthread_join(thread, 0);
	free(p);
	return 0;
}
