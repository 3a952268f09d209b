/* title: a std::stop_token that ends a loop
 * check: robust
 * broken: -DEARLY race
 */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static int data;

int main()
{
	std::jthread worker([](std::stop_token stop) {
		while (!stop.stop_requested()) {
		}
#ifdef EARLY
		assert(data <= 3);
#else
		assert(data == 3);
#endif
	});
#ifdef EARLY
	worker.request_stop();
#endif
	data = 3;
	worker.request_stop();
}
