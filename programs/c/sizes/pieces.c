/*! check: assertion
 *
 * What was stored as one word is read as two halves: little endian. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static uint64_t word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	word = 0x0000000200000001;
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t thread;
	uint32_t halves[2];
	pthread_create(&thread, 0, writer, 0);
	pthread_mutex_lock(&lock);
	memcpy(halves, &word, sizeof halves);
	pthread_mutex_unlock(&lock);
	assert(halves[0] == 0 || halves[1] == 2);
	assert(halves[0] == 0 || ((unsigned char *)&word)[4] != 2);
	pthread_join(thread, 0);
	return 0;
}
