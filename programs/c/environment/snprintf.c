/* title: two threads format into one buffer
 * check: data-race
 * explore: data-race
 */
#include <pthread.h>
#include <stdio.h>

static char line[16];

static void *worker(void *number)
{
	snprintf(line, sizeof line, "%ld", (long)number);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
