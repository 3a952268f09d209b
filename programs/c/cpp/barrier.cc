/* title: std::barrier with a completion
 * check: robust
 * broken: -DHURRY race
 */
#include <barrier>
#include <cassert>
#include <thread>

static int parts[2], sum;

int main()
{
	std::barrier phase(2, []() noexcept { sum = parts[0] + parts[1]; });
	auto work = [&phase](int part) {
		parts[part] = 1;
#ifdef HURRY
		(void)phase.arrive();
#else
		phase.arrive_and_wait();
		assert(sum == 2);
#endif
		assert(sum <= 2);
		phase.arrive_and_wait();
	};
	std::thread other(work, 0);
	work(1);
	other.join();
}
