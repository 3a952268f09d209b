/*! check: robust
 *
 * A pair of words is exchanged by x86's instruction for 16 bytes. Before and after, it is written and read by its fields,
 * and copied as a whole. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	uint64_t *pointer;
	uint64_t count;
} __attribute__((aligned(16)));

static uint64_t words[2];

static bool exchange(struct pair *at, struct pair *expected, struct pair desired)
{
	bool done;
	__asm__ volatile("lock; cmpxchg16b %1; setz %0"
			 : "=q"(done), "+m"(*at), "+a"(expected->pointer), "+d"(expected->count)
			 : "b"(desired.pointer), "c"(desired.count)
			 : "cc", "memory");
	return done;
}

static void *advance(void *argument)
{
	struct pair *pair = argument;
	struct pair seen = {words, 7};
	while (!exchange(pair, &seen, (struct pair){seen.pointer + 1, seen.count << 32}))
		;
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	struct pair *pair = aligned_alloc(16, sizeof *pair), copy;
	pair->pointer = words;
	pair->count = 7;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, advance, pair);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	memcpy(&copy, pair, sizeof copy);
	assert(copy.pointer == &words[2] && copy.count == 0);
	assert(pair->pointer == copy.pointer && ((unsigned char *)pair)[8] == 0);
	free(pair);
	return 0;
}
