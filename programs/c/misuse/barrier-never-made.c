/*! expect: misuse at 8 */
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void)
{
	pthread_barrier_wait(&barrier);
	return 0;
}
