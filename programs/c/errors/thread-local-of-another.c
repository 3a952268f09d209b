/*! expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static __thread int mine = 5;
static _Atomic(int *) told;
static atomic_int done;

static void *owner(void *unused)
{
	mine = 7;
	atomic_store(&told, &mine);
	while (!atomic_load(&done))
		;
	return (void *)(long)mine;
}

int main(void)
{
	pthread_t t;
	int *other;
	void *result;
	pthread_create(&t, NULL, owner, NULL);
	while (!(other = atomic_load(&told)))
		;
	assert(*other == 7 && mine == 5);
	*other = 9;
	atomic_store(&done, 1);
	pthread_join(t, &result);
	assert((long)result == 9 && mine == 5);
	return 0;
}
