/*! expect: misuse at 9 */
#include <pthread.h>

static pthread_mutex_t lock;

int main(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_mutex_unlock(&lock);
	return 0;
}
