/* title: thread-local variables, pointers to functions, recursion, unions and bit fields in threads
 * expect: rc11 holds, 2 complete, 0 blocked
 * broken: -DSHARED race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifdef SHARED
static int depth;
#else
static _Thread_local int depth = 1;
#endif

union number {
	uint32_t word;
	unsigned char bytes[4];
	struct {
		unsigned low : 12, high : 20;
	} parts;
};

static _Atomic uint32_t published;

static int factorial(int n)
{
	depth++; /* race */
	return n < 2 ? 1 : n * factorial(n - 1);
}

static int triple(int n)
{
	return 3 * n;
}

static int (*const functions[])(int) = {factorial, triple};

static void *worker(void *argument)
{
	union number number = {.word = 0};
	number.parts.high = functions[(intptr_t)argument](4);
	number.bytes[0] = 5;
	atomic_fetch_add(&published, number.word);
#ifndef SHARED
	assert(depth == ((intptr_t)argument ? 1 : 5));
#endif
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	depth = 0; /* race */
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(depth == 0 && published == (24 + 12) * 4096 + 10);
	return 0;
}
