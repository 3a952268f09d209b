/* title: exceptions that the library throws
 * check: robust
 * broken: -DUNCAUGHT assertion
 */
#include <cassert>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

static std::once_flag flag;
static int caught;

int main()
{
	std::promise<int> kept, broken;
	auto result = kept.get_future(), never = broken.get_future();
	std::thread other([&kept, broken = std::move(broken)]() mutable {
		try {
			std::vector<int>(2).at(5) = 1;
		} catch (const std::out_of_range &) {
			kept.set_exception(std::current_exception());
		}
		auto gone = std::move(broken);
	});
	try {
		result.get();
	} catch (const std::out_of_range &error) {
		caught += std::strstr(error.what(), "(which is 5)") != nullptr;
	}
	try {
		never.get();
	} catch (const std::future_error &error) {
		caught += error.code() == std::future_errc::broken_promise;
	}
	other.join();
	try {
		std::function<void()>()();
	} catch (const std::bad_function_call &) {
		caught++;
	}
	try {
		std::call_once(flag, [] { throw 1; });
	} catch (int) {
		caught++;
	}
	std::call_once(flag, [] { caught++; });
	try {
		other.join();
	} catch (const std::system_error &error) {
		caught += error.code() == std::errc::invalid_argument;
	}
	assert(caught == 6);
#ifdef UNCAUGHT
	std::thread().detach();
#endif
}
