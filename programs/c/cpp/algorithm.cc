/* title: an array that is sorted and then published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::array<int, 5> numbers{5, 2, 4, 1, 3};
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		std::sort(numbers.begin(), numbers.end());
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		assert(std::is_sorted(numbers.begin(), numbers.end()));
		assert(std::accumulate(numbers.begin(), numbers.end(), 0) == 15);
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
