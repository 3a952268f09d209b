/* indexer.fp in C. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SIZE 128
#define MAX 4
#define N 15

static atomic_int table[SIZE];

static void *worker(void *argument)
{
	int self = (int)(intptr_t)argument;
	for (int i = 0; i < MAX; i++) {
		int entry = i * 11 + self;
		int h = entry * 7 % SIZE;
		int expected = 0;
		while (!atomic_compare_exchange_strong_explicit(&table[h], &expected, entry, memory_order_relaxed,
								memory_order_relaxed)) {
			h = (h + 1) % SIZE;
			expected = 0;
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	return 0;
}
