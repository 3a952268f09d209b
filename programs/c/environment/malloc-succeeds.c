/* title: malloc is taken to succeed, and the answer says so
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: malloc and pthread_create succeed (`--failing-calls` lets them fail)
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
	pthread_t thread;
	pthread_create(&thread, 0, run, p);
	pthread_join(thread, 0);
	assert(*p == 7);
	free(p);
	return 0;
}
