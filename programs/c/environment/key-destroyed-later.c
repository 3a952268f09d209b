/* title: the destructor of a key runs after all that the thread did, and before it is joined
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <threads.h>

static tss_t key;
static int seen;

static void note(void *value) { seen = *(int *)value; }

static int worker(void *unused)
{
	static int value = 1;
	tss_set(key, &value);
	value = 2;
	return 0;
}

int main(void)
{
	thrd_t thread;
	tss_create(&key, note);
	thrd_create(&thread, worker, 0);
	thrd_join(thread, 0);
	assert(seen == 2);
	tss_set(key, &seen);
	return 0;
}
