/* title: std::atomic::wait and notify_one
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 * broken: -DSILENT deadlock
 */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::atomic<int> state;
static int data;

int main()
{
	std::thread writer([] {
		data = 3;
		state.store(1, ORDER);
#ifndef SILENT
		state.notify_one();
#endif
	});
	state.wait(0, std::memory_order_acquire);
	assert(data == 3);
	writer.join();
}
