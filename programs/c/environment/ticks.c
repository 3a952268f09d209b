/* title: the processor's counter of ticks does not go back
 * check: holds
 * explore: holds
 * assumes: the time that is read goes on three times at most, by 1,000 seconds each
 */
#include <assert.h>
#include <pthread.h>

static unsigned long seen;

static void *worker(void *unused)
{
	unsigned low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	seen = (unsigned long)high << 32 | low;
	return 0;
}

int main(void)
{
	pthread_t thread;
	unsigned long before = __builtin_ia32_rdtsc();
	pthread_create(&thread, 0, worker, 0);
	pthread_join(thread, 0);
	assert(before <= seen && seen <= __builtin_readcyclecounter());
	return 0;
}
