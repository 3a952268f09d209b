/* title: a thread_local variable whose destructor counts
 * check: robust
 * broken: -DEARLY race
 */
#include <atomic>
#include <cassert>
#include <thread>

static int ended;

struct Counted {
	int number = 0;
	~Counted() { ended += number; }
};
static thread_local Counted counted;

int main()
{
	std::thread other([] { counted.number = 3; });
#ifdef EARLY
	assert(ended == 0 || ended == 3);
#endif
	other.join();
	assert(ended == 3);
	assert(counted.number == 0);
}
