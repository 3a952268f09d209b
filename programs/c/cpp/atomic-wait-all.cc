/* title: two waiters, one notification
 * check: robust
 * broken: -DNOTIFY=notify_one deadlock
 */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef NOTIFY
#define NOTIFY notify_all
#endif

static std::atomic<bool> open;

int main()
{
	std::thread first([] { open.wait(false); });
	std::thread second([] { open.wait(false); });
	open.store(true);
	open.NOTIFY();
	first.join();
	second.join();
}
