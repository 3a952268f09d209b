/* title: other threads go on while the program ends
 * check: data-race
 * explore: data-race
 */
#include <pthread.h>
#include <stdlib.h>

static int log_size;

static void flush(void) { log_size = 0; }

static void *worker(void *unused)
{
	log_size++;
	return 0;
}

int main(void)
{
	pthread_t thread;
	atexit(flush);
	pthread_create(&thread, 0, worker, 0);
	pthread_detach(thread);
	return 0;
}
