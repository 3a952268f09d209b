/* title: a std::variant that is published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
#include <variant>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::variant<int, double> value;
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		value = 2.5;
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		assert(std::visit([](auto it) { return it > 2; }, value));
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
