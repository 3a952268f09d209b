/* title: <threads.h>: threads with results, a recursive mutex, a condition variable, call_once
 * expect: rc11 holds, 270 complete, 666 blocked
 * broken: -DWITHOUT_LOCK race
 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t ready;
static once_flag once = ONCE_FLAG_INIT;
static int items, initialised;

static void initialise(void)
{
	initialised++;
}

static int producer(void *argument)
{
	call_once(&once, initialise);
#ifndef WITHOUT_LOCK
	mtx_lock(&mutex);
	mtx_lock(&mutex);
#endif
	items += *(int *)argument; /* race */
	cnd_signal(&ready);
#ifndef WITHOUT_LOCK
	mtx_unlock(&mutex);
	mtx_unlock(&mutex);
#endif
	return 7;
}

int main(void)
{
	thrd_t thread;
	int amount = 3, result;
	mtx_init(&mutex, mtx_plain | mtx_recursive);
	cnd_init(&ready);
	thrd_create(&thread, producer, &amount);
	call_once(&once, initialise);
	mtx_lock(&mutex);
	while (items == 0) /* race */
		cnd_wait(&ready, &mutex);
	assert(items == 3);
	mtx_unlock(&mutex);
	thrd_join(thread, &result);
	assert(result == 7 && initialised == 1);
	return 0;
}
