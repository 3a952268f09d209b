/* title: with --failing-calls, a thread that was not made cannot be relied upon
 * arguments: all --failing-calls
 * check: assertion
 * explore: assertion
 */
#include <assert.h>
#include <pthread.h>

static int done;

static void *run(void *unused)
{
	done = 1;
	return 0;
}

int main(void)
{
	pthread_t thread;
	if (!pthread_create(&thread, 0, run, 0))
		pthread_join(thread, 0);
	assert(done);
	return 0;
}
