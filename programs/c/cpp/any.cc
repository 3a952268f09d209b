/* title: a std::any that is published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <any>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::any value;
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		value = 3;
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		assert(*std::any_cast<int>(&value) == 3);
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
