/* title: std::shared_future, two readers
 * check: robust
 * broken: -DEARLY race
 */
#include <cassert>
#include <future>
#include <thread>

static int data;

int main()
{
	std::promise<void> start;
	std::shared_future<void> begun = start.get_future().share();
	auto read = [begun] {
		begun.wait();
		assert(data == 3);
	};
	std::thread first(read), second(read);
#ifdef EARLY
	start.set_value();
	data = 3;
#else
	data = 3;
	start.set_value();
#endif
	first.join();
	second.join();
}
