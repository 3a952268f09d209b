/* title: std::promise and std::future
 * check: robust
 * broken: -DLATE race
 */
#include <cassert>
#include <future>
#include <thread>

static int data;

int main()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread writer([&promise] {
		promise.set_value(3);
#ifdef LATE
		data = 4;
#endif
	});
	assert(future.get() == 3);
	assert(data == 0);
	writer.join();
}
