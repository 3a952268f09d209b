/* title: std::atomic_load and std::atomic_compare_exchange_strong of a std::shared_ptr
 * check: robust
 * broken: -DPLAIN race
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> pointer;

static void count()
{
	auto seen = std::atomic_load(&pointer);
#ifdef PLAIN
	pointer = std::make_shared<int>(*seen + 1);
#else
	while (!std::atomic_compare_exchange_strong(&pointer, &seen, std::make_shared<int>(*seen + 1))) {
	}
#endif
}

int main()
{
	pointer = std::make_shared<int>(0);
	std::thread other(count);
	count();
	other.join();
	assert(*pointer == 2);
}
