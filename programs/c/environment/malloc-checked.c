/* title: with --failing-calls, a program that looks at all results
 * arguments: all --failing-calls
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *run(void *p)
{
	*(int *)p = 7;
	return 0;
}

int main(void)
{
	int *p = malloc(sizeof *p);
	if (!p)
		return 1;
	pthread_t thread;
	if (pthread_create(&thread, 0, run, p) == 0) {
		pthread_join(thread, 0);
		assert(*p == 7);
	}
	free(p);
	return 0;
}
