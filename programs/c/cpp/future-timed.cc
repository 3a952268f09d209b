/* title: a future that may not be ready in time
 * check: robust
 * broken: -DSURE race
 */
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

static int data;

int main()
{
	std::promise<void> promise;
	auto future = promise.get_future();
	std::thread writer([&promise] {
		data = 3;
		promise.set_value();
	});
#ifdef SURE
	future.wait_for(std::chrono::seconds(1));
	assert(data <= 3);
#else
	if (future.wait_for(std::chrono::seconds(1)) == std::future_status::ready) assert(data == 3);
#endif
	writer.join();
}
