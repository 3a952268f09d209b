/* title: a std::function that is published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <functional>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::function<int(int)> twice;
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		twice = [](int number) { return 2 * number; };
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		assert(twice(3) == 6);
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
