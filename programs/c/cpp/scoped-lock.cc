/* title: std::scoped_lock of two mutexes in both orders
 * check: robust
 * broken: -DONE_BY_ONE deadlock
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int count;

static void add(std::mutex &first, std::mutex &second)
{
#ifdef ONE_BY_ONE
	std::lock_guard guard(first);
	std::lock_guard other_guard(second);
#else
	std::scoped_lock guard(first, second);
#endif
	count++;
}

int main()
{
	std::thread other([] { add(left, right); });
	add(right, left);
	other.join();
	assert(count == 2);
}
