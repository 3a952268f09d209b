/*! expect: holds */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

/* Nobody looks at what it returns. */
static void *set(void *unused)
{
	atomic_store(&flag, 1);
}

int main(void)
{
	pthread_t thread;
	int value, used, never;
	(void)never;
	pthread_create(&thread, 0, set, 0);
	used = atomic_load(&flag);
	if (used)
		value = 7;
	pthread_join(thread, 0);
	if (used)
		return value;
	return 0;
}
