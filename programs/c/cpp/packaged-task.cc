/* title: std::packaged_task
 * check: robust
 * broken: -DEARLY race
 */
#include <cassert>
#include <future>
#include <thread>
#include <utility>

static int calls;

int main()
{
	std::packaged_task<int(int)> task([](int number) {
		calls++;
		return 2 * number;
	});
	auto result = task.get_future();
	std::thread worker(std::move(task), 3);
#ifdef EARLY
	assert(calls <= 1);
#else
	assert(result.get() == 6 && calls == 1);
#endif
	worker.join();
}
