/* title: time does not go back
 * check: holds
 * explore: holds
 * assumes: the time that is read goes on three times at most, by 1,000 seconds each
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static long seen;

static void *worker(void *unused)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seen = now.tv_sec;
	return 0;
}

int main(void)
{
	pthread_t thread;
	struct timespec before, after;
	clock_gettime(CLOCK_MONOTONIC, &before);
	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert(before.tv_sec <= seen && seen <= after.tv_sec);
	return 0;
}
