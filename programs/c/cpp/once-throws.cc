/* title: what std::call_once calls throws, so that the next thread tries again
 * check: robust
 * broken: -DTRIES=1 assertion
 */
#include <cassert>
#include <mutex>
#include <thread>

#ifndef TRIES
#define TRIES 2
#endif

static std::once_flag flag;
static int value, tries;

static void initialise()
{
	if (tries++ == 0)
		throw 1;
	value = 5;
}

static void get()
{
	for (int i = 0; i < 2; i++) {
		try {
			std::call_once(flag, initialise);
			break;
		} catch (int) {
		}
	}
	assert(value == 5);
}

int main()
{
	std::thread other(get);
	get();
	other.join();
	assert(tries == TRIES);
}
