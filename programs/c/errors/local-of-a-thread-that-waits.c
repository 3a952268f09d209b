/*! expect: holds */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;

static void *user(void *local)
{
	atomic_fetch_add((atomic_int *)local, 1);
	return NULL;
}

static void start(void)
{
	atomic_int local = 1;
	pthread_create(&t, NULL, user, &local);
	pthread_join(t, NULL);
}

int main(void)
{
	start();
	start();
	return 0;
}
