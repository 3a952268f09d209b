/* title: a thread can join main, which has ended by pthread_exit
 * check: assertion
 * explore: assertion
 */
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *run(void *unused)
{
	void *result;
	pthread_join(first, &result);
	assert((long)result != 5);
	return 0;
}

int main(void)
{
	pthread_t thread;
	first = pthread_self();
	pthread_create(&thread, 0, run, 0);
	pthread_exit((void *)5);
}
