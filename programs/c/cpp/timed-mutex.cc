/* title: std::timed_mutex, whose wait may end without it
 * check: robust
 * broken: -DSURE race
 */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static int count;

static void add()
{
	std::unique_lock lock(mutex, std::chrono::milliseconds(10));
#ifndef SURE
	if (!lock) return;
#endif
	count++;
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	assert(count <= 2);
}
