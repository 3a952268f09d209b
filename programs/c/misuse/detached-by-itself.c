/*! expect: holds */
#include <pthread.h>

static void *work(void *unused)
{
	pthread_detach(pthread_self());
	return NULL;
}

static void *leave(void *unused)
{
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, NULL, work, NULL);
	pthread_create(&u, &attributes, leave, NULL);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
	pthread_create(&u, &attributes, leave, NULL);
	pthread_join(u, NULL);
	return 0;
}
