/* title: std::shared_mutex, two readers and a writer
 * check: robust
 * broken: -DWRITER=std::shared_lock race
 */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef WRITER
#define WRITER std::unique_lock
#endif

static std::shared_mutex mutex;
static int left, right;

static void look()
{
	std::shared_lock lock(mutex);
	assert(left == right);
}

int main()
{
	std::thread writer([] {
		WRITER lock(mutex);
		left = 1;
		right = 1;
	});
	std::thread reader(look);
	look();
	writer.join();
	reader.join();
}
