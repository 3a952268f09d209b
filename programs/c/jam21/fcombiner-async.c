/* title: flat combining: two threads hand their work to the one that runs it
 * source: GenMC test suite, data-structures/fcombiner-async; D. Hendler and others: Flat Combining, SPAA 2010
 * expect: rc11 holds, 24 complete, 24 blocked
 * expect: jam21 holds, 24 complete, 24 blocked
 * note: The work is an addition instead of an insertion into a set; it is done by one thread at a time.
 */
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define MOST_ROUNDS 2

struct request {
	_Atomic(struct request *) next;
	struct request *before;
	/* NULL while it waits, DONE, or the request to go on with. */
	_Atomic(struct request *) state;
	atomic_int blocks;
	void (*work)(struct request *);
	int runs;
};

static struct request done;
#define DONE (&done)

static _Atomic(struct request *) last;
static _Atomic(struct request *) takeover;
static atomic_int threads_seen;
static int sum;

static struct request *run(struct request *first)
{
	struct request *ran = NULL;
	for (int rounds = 0; first && rounds < MOST_ROUNDS; rounds++) {
		struct request *next = atomic_load_explicit(&first->next, memory_order_acquire);
		first->before = NULL;
		first->work(first);
		if (ran)
			atomic_store_explicit(&ran->state, DONE, memory_order_release);
		ran = first;
		first = next;
	}
	return ran;
}

static struct request *after(struct request *ran)
{
	struct request *next = atomic_load_explicit(&ran->next, memory_order_acquire);
	atomic_thread_fence(memory_order_acq_rel);
	if (next)
		return next;
	struct request *expected = ran;
	if (atomic_compare_exchange_strong_explicit(&last, &expected, NULL, memory_order_relaxed, memory_order_relaxed))
		return NULL;
	next = atomic_load_explicit(&ran->next, memory_order_acquire);
	fencepost_assume(next != NULL);
	return next;
}

/* Runs what is there, and finds somebody to go on with the rest. */
static void combine(struct request *first)
{
	struct request *ran = run(first);
	struct request *rest = after(ran);
	atomic_store_explicit(&ran->state, DONE, memory_order_release);
	if (!rest)
		return;
	struct request *heir = rest;
	while (heir && !atomic_load_explicit(&heir->blocks, memory_order_relaxed))
		heir = atomic_load_explicit(&heir->next, memory_order_acquire);
	atomic_store_explicit(heir ? &heir->state : &takeover, rest, memory_order_release);
}

static void submit(struct request *request)
{
	struct request *before = atomic_exchange_explicit(&last, request, memory_order_release);
	atomic_thread_fence(memory_order_acquire);
	request->before = before;
	if (before)
		atomic_store_explicit(&before->next, request, memory_order_release);
	else
		combine(request);
}

static void wait(struct request *request)
{
	struct request *next;
	atomic_store_explicit(&request->blocks, 1, memory_order_relaxed);
	while (!(next = atomic_load_explicit(&request->state, memory_order_relaxed)))
		if (atomic_load_explicit(&takeover, memory_order_relaxed) &&
		    (next = atomic_exchange_explicit(&takeover, NULL, memory_order_relaxed)))
			break;
	atomic_thread_fence(memory_order_acquire);
	if (next != DONE)
		combine(next);
}

static void add(struct request *request)
{
	sum++;
	request->runs++;
}

static void *worker(void *unused)
{
	atomic_fetch_add(&threads_seen, 1);
	struct request mine = {.work = add};
	submit(&mine);
	wait(&mine);
	assert(mine.runs == 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(sum == 2);
	return 0;
}
