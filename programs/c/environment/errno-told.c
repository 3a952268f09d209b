/* title: another thread may write to the errno whose address it is told
 * check: data-race
 * explore: data-race
 */
#include <errno.h>
#include <pthread.h>

static void *worker(void *told)
{
	*(int *)told = 1;
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, &errno);
	errno = 2;
	pthread_join(thread, 0);
	return 0;
}
