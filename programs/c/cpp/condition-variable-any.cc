/* title: std::condition_variable_any
 * check: robust
 * broken: -DSILENT deadlock
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static bool ready;

int main()
{
	std::thread writer([] {
		{
			std::unique_lock lock(mutex);
			ready = true;
		}
#ifndef SILENT
		changed.notify_one();
#endif
	});
	{
		std::unique_lock lock(mutex);
		changed.wait(lock, [] { return ready; });
	}
	writer.join();
}
