/* title: ids of threads, and sleeping
 * check: robust
 * broken: -DEARLY race
 */
#include <cassert>
#include <chrono>
#include <thread>

static std::thread::id known;

int main()
{
	const auto mine = std::this_thread::get_id();
	std::thread other([mine] {
		std::this_thread::yield();
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
		known = std::this_thread::get_id();
		assert(known != mine && known != std::thread::id());
	});
	assert(mine != std::thread::id() && other.get_id() != mine);
#ifndef EARLY
	other.join();
	assert(known != mine);
#else
	assert(known != mine);
	other.join();
#endif
}
