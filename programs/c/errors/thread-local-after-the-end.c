/*! expect: use-after-free at 16 */
#include <pthread.h>

static __thread int mine = 5;

static void *owner(void *unused)
{
	return &mine;
}
int main(void)
{
	pthread_t t;
	void *other;
	pthread_create(&t, NULL, owner, NULL);
	pthread_join(t, &other);
	return *(int *)other;
}
