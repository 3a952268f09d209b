/* title: std::condition_variable with a predicate
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static int data;

int main()
{
	std::thread reader([] {
		std::unique_lock<std::mutex> lock(mutex);
		changed.wait(lock, [] { return ready; });
		assert(data == 5);
	});
	{
#ifndef WITHOUT_LOCK
		std::lock_guard<std::mutex> lock(mutex);
#endif
		data = 5;
		ready = true;
	}
	changed.notify_one();
	reader.join();
}
