/* title: std::atomic_ref
 * check: robust
 * broken: -DPLAIN race
 */
#include <atomic>
#include <cassert>
#include <thread>

static int count;

static void add()
{
#ifdef PLAIN
	count++;
#else
	std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
#endif
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	assert(count == 2);
}
