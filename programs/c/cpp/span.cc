/* title: a std::span and a std::string_view that are published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <span>
#include <string_view>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static int numbers[3];
static std::span<int> part;
static std::string_view text;
static std::atomic<bool> ready;
int outcome;

int main()
{
	std::thread writer([] {
		numbers[1] = 3;
		part = std::span(numbers).subspan(1);
		text = std::string_view("abc").substr(1);
		ready.store(true, ORDER);
	});
	if (ready.load(std::memory_order_acquire)) {
		assert(part.size() == 2 && part[0] == 3 && text == "bc");
		outcome = 1;
	}
	writer.join();
	std::printf("%d\n", outcome);
}
