/* title: a std::tuple that is published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
#include <tuple>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::tuple<int, char> value;
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		value = {3, 'x'};
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		auto [number, letter] = value;
		assert(number == 3 && letter == 'x');
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
