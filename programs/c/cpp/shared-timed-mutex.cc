/* title: std::shared_timed_mutex
 * check: robust
 * broken: -DSURE race
 */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex mutex;
static int left, right;

static void read()
{
	bool in_time = mutex.try_lock_shared_for(std::chrono::milliseconds(10));
#ifndef SURE
	if (!in_time) return;
	assert(left == right);
#endif
	assert(left <= 1 && right <= 1);
	if (in_time) mutex.unlock_shared();
}

int main()
{
	std::thread writer([] {
		std::unique_lock lock(mutex);
		left = 1;
		right = 1;
	});
	read();
	writer.join();
}
