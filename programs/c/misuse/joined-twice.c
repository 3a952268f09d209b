/*! expect: misuse at 14 */
#include <pthread.h>

static void *work(void *unused)
{
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_join(t, NULL);
	return 0;
}
