/* title: a wait for a condition that may end without it
 * check: robust
 * broken: -DSURE race
 */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static int data;

int main()
{
	std::thread writer([] {
		data = 3;
		std::lock_guard guard(mutex);
		ready = true;
		changed.notify_one();
	});
	{
		std::unique_lock lock(mutex);
		bool in_time = changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
#ifdef SURE
		in_time = true;
#endif
		if (in_time) assert(data <= 3);
	}
	writer.join();
}
