/* title: the waiters of C11 wake up by themselves too
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int ready;

static int produce(void *unused)
{
	mtx_lock(&mutex);
	ready = 1;
	cnd_signal(&changed);
	mtx_unlock(&mutex);
	return 0;
}

int main(void)
{
	thrd_t thread;
	mtx_init(&mutex, mtx_plain);
	cnd_init(&changed);
	thrd_create(&thread, produce, 0);
	mtx_lock(&mutex);
	if (!ready)
		cnd_wait(&changed, &mutex);
	assert(ready == 1);
	mtx_unlock(&mutex);
	thrd_join(thread, 0);
	return 0;
}
