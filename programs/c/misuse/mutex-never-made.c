/*! expect: uninitialised-read at 8 */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
	pthread_mutex_t *lock = malloc(sizeof *lock);
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	free(lock);
	return 0;
}
