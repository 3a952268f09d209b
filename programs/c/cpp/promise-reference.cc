/* title: a promise of a reference, a task that throws, and a promise that nobody keeps
 * check: robust
 * broken: -DWITHOUT_FUTURE race
 */
#include <cassert>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

static int value;
int outcome;

int main()
{
	std::promise<int &> promise;
	std::future<int &> future = promise.get_future();
	std::packaged_task<int(int)> task([](int number) -> int {
		throw std::runtime_error("number " + std::to_string(number));
	});
	std::future<int> failed = task.get_future();
	std::thread other([&] {
		value = 5;
		promise.set_value(value);
		task(7);
	});
#ifdef WITHOUT_FUTURE
	outcome = value;
#else
	outcome = future.get();
#endif
	try {
		failed.get();
		assert(false);
	} catch (const std::runtime_error &error) {
		assert(error.what() == std::string("number 7"));
	}
	other.join();

	std::future<void> broken;
	{
		std::promise<void> dropped;
		broken = dropped.get_future();
	}
	try {
		broken.get();
		assert(false);
	} catch (const std::future_error &error) {
		assert(error.code() == std::future_errc::broken_promise);
	}
	std::printf("%d\n", outcome);
}
