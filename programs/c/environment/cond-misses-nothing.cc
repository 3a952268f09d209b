/* title: std::condition_variable, whose signal comes after the mutex was given up
 * check: holds
 * explore: holds
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int value;

int main()
{
	std::thread reader([] {
		std::unique_lock<std::mutex> lock(mutex);
		while (value == 0)
			changed.wait(lock);
		assert(value == 5);
	});
	{
		std::lock_guard<std::mutex> lock(mutex);
		value = 5;
	}
	changed.notify_one();
	reader.join();
}
