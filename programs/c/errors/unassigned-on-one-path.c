/*! expect: uninitialised-read at 22 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused)
{
	atomic_store(&flag, 1);
	return 0;
}

int main(void)
{
	pthread_t thread;
	int value, used;
	pthread_create(&thread, 0, set, 0);
	used = atomic_load(&flag);
	if (used)
		value = 7;
	pthread_join(thread, 0);
	if (value == 7 && used)
		return 1;
	return 0;
}
