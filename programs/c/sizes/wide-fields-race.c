/*! check: data-race
 *
 * The fields of a pair are read without atomics while another thread exchanges the pair as a whole. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair {
	uint64_t a, b;
};
static _Atomic(struct pair) pair;

static void *writer(void *unused)
{
	(void)unused;
	struct pair old = {0, 0};
	atomic_compare_exchange_strong(&pair, &old, ((struct pair){1, 2}));
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, writer, 0);
	struct pair *fields = (struct pair *)&pair;
	int torn = fields->a == 1 && fields->b == 0;
	pthread_join(thread, 0);
	return torn;
}
