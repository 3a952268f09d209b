/* title: std::latch
 * check: robust
 * broken: -DHURRY race
 */
#include <cassert>
#include <latch>
#include <thread>

static int parts[2];

int main()
{
	std::latch done(2);
	auto work = [&done](int part) {
		parts[part] = 1;
		done.count_down();
	};
	std::thread first(work, 0), second(work, 1);
#ifdef HURRY
	assert(parts[0] + parts[1] <= 2);
#else
	done.wait();
	assert(parts[0] + parts[1] == 2);
#endif
	first.join();
	second.join();
}
