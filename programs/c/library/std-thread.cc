/* title: std::thread, std::mutex, std::lock_guard and std::atomic
 * expect: rc11 holds, 4 complete, 3 blocked
 * broken: -DWITHOUT_LOCK race
 * broken: -DPUBLISH=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef PUBLISH
#define PUBLISH std::memory_order_release
#endif

static std::mutex mutex;
static int counter;
static int payload;
static std::atomic<bool> ready;

static void add(int amount)
{
#ifndef WITHOUT_LOCK
	std::lock_guard<std::mutex> guard(mutex);
#endif
	counter += amount; /* race */
}

int main()
{
	std::thread first([] {
		add(1);
		payload = 42; /* race */
		ready.store(true, PUBLISH);
	});
	std::thread second(add, 2);
	if (ready.load(std::memory_order_acquire))
		assert(payload == 42); /* race */
	first.join();
	second.join();
	assert(counter == 3);
	return 0;
}
