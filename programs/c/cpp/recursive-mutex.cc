/* title: std::recursive_mutex
 * check: robust
 * broken: -DMUTEX=std::mutex deadlock
 */
#include <cassert>
#include <mutex>
#include <thread>

#ifndef MUTEX
#define MUTEX std::recursive_mutex
#endif

static MUTEX mutex;
static int count;

static void add()
{
	std::lock_guard guard(mutex);
	count++;
}

static void add_twice()
{
	std::lock_guard guard(mutex);
	add();
	add();
}

int main()
{
	std::thread other(add_twice);
	add();
	other.join();
	assert(count == 3);
}
