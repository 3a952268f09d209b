/* title: a lock of std::atomic_flag that waits
 * check: robust
 * broken: -DSILENT deadlock
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag taken;
static int count;

static void add()
{
	while (taken.test_and_set(std::memory_order_acquire)) taken.wait(true, std::memory_order_relaxed);
	count++;
	taken.clear(std::memory_order_release);
#ifndef SILENT
	taken.notify_one();
#endif
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	assert(count == 2);
}
