//! title: A thread that sleeps in the kernel, unseen, and ends while everyone else waits for it
//! expect: nothing
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

static void *sleeper(void *unused)
{
	poll(NULL, 0, 200);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sleeper, NULL);
	pthread_join(thread, NULL);
	puts("joined");
	return 0;
}
