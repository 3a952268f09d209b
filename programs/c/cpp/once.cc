/* title: std::call_once
 * check: robust
 * broken: -DEVERY_TIME race
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int value;

static void get()
{
#ifdef EVERY_TIME
	value = 4;
#else
	std::call_once(flag, [] { value = 4; });
#endif
	assert(value == 4);
}

int main()
{
	std::thread other(get);
	get();
	other.join();
}
