/* title: threads cannot be cancelled
 * check: refused, `pthread_cancel`
 * explore: refused, `pthread_cancel`
 */
#include <pthread.h>

static void *worker(void *unused)
{
	int old;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, 0);
	pthread_cancel(thread);
	pthread_join(thread, 0);
	return 0;
}
