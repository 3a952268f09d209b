/* title: an exception that a thread does not catch ends the program, and so does one that leaves noexcept
 * check: robust
 * broken: -DTHROWS assertion
 * broken: -DNOEXCEPT=noexcept assertion
 */
#include <atomic>
#include <thread>

#ifndef NOEXCEPT
#define NOEXCEPT
#endif

static std::atomic<int> turn;

static void step() NOEXCEPT
{
	if (turn.exchange(1) == 0)
		throw 1;
}

int main()
{
	std::thread other([] {
#ifdef THROWS
		step();
#else
		try {
			step();
		} catch (...) {
		}
#endif
	});
	try {
		step();
	} catch (int) {
	}
	other.join();
}
