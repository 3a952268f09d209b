/* title: std::binary_semaphore, with a timeout
 * check: robust
 * broken: -DSURE race
 */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore ready(0);
static int data;

int main()
{
	using namespace std::chrono_literals;
	std::thread writer([] {
		data = 3;
		ready.release();
	});
#ifdef SURE
	ready.try_acquire_for(10s);
	assert(data <= 3);
#else
	if (ready.try_acquire_for(10s)) assert(data == 3);
#endif
	writer.join();
}
