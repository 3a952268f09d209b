/* title: work-stealing deque of Chase and Lev, as Lê and others ported it to C11
 * source: N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory Models, 2013
 * expect: rc11 holds, 41 complete, 0 blocked
 * expect: sc holds, 41 complete, 0 blocked
 * check: robust
 * broken: -DWITHOUT_TAKE_FENCE assertion
 * broken: -DWITHOUT_STEAL_FENCE assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#define EMPTY (-1)

static struct {
	atomic_int top;
	atomic_int bottom;
	atomic_int items[SLOTS];
} deque;
static atomic_int taken[3];

static void push(int item)
{
	int bottom = atomic_load_explicit(&deque.bottom, memory_order_relaxed);
	atomic_store_explicit(&deque.items[bottom % SLOTS], item, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&deque.bottom, bottom + 1, memory_order_relaxed);
}

static int take(void)
{
	int bottom = atomic_load_explicit(&deque.bottom, memory_order_relaxed) - 1;
	atomic_store_explicit(&deque.bottom, bottom, memory_order_relaxed);
#ifndef WITHOUT_TAKE_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	int top = atomic_load_explicit(&deque.top, memory_order_relaxed);
	if (top > bottom) {
		atomic_store_explicit(&deque.bottom, bottom + 1, memory_order_relaxed);
		return EMPTY;
	}
	int item = atomic_load_explicit(&deque.items[bottom % SLOTS], memory_order_relaxed);
	if (top == bottom) {
		if (!atomic_compare_exchange_strong_explicit(&deque.top, &top, top + 1, memory_order_seq_cst,
							     memory_order_relaxed))
			item = EMPTY;
		atomic_store_explicit(&deque.bottom, bottom + 1, memory_order_relaxed);
	}
	return item;
}

static int steal(void)
{
	int top = atomic_load_explicit(&deque.top, memory_order_acquire);
#ifndef WITHOUT_STEAL_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	int bottom = atomic_load_explicit(&deque.bottom, memory_order_acquire);
	if (top >= bottom)
		return EMPTY;
	int item = atomic_load_explicit(&deque.items[top % SLOTS], memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(&deque.top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
		return EMPTY;
	return item;
}

static void got(int item)
{
	if (item != EMPTY)
		assert(atomic_fetch_add_explicit(&taken[item], 1, memory_order_relaxed) == 0); /* assertion */
}

static void *thief(void *unused)
{
	got(steal());
	got(steal());
	return NULL;
}

int main(void)
{
	pthread_t thread;
	push(1);
	push(2);
	pthread_create(&thread, NULL, thief, NULL);
	got(take());
	got(take());
	pthread_join(thread, NULL);
	return 0;
}
