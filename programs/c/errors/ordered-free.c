/*! expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	atomic_int value;
};

static struct node *node;
static atomic_int done;

static void *reader(void *unused)
{
	(void)unused;
	/* In the same thread, so that this line comes before the store in program order. */
	for (int i = 0; i < 1; i++) {
		int value =
			/* what matters */
			atomic_load_explicit(&node->value, memory_order_relaxed);
		(void)value;
	}
	atomic_store_explicit(&done, 1, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t thread;
	node = calloc(1, sizeof *node);
	pthread_create(&thread, 0, reader, 0);
	if (atomic_load_explicit(&done, memory_order_acquire))
		free(node);
	pthread_join(thread, 0);
	return 0;
}
