/* title: std::async
 * check: robust
 * broken: -DEARLY race
 */
#include <cassert>
#include <future>

static int data;

int main()
{
	auto computed = std::async(std::launch::async, [] {
		data = 3;
		return 4;
	});
	auto later = std::async(std::launch::deferred, [] { return data; });
#ifdef EARLY
	assert(later.get() <= 3);
	assert(computed.get() == 4);
#else
	assert(computed.get() == 4);
	assert(later.get() == 3);
#endif
}
