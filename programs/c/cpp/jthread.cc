/* title: std::jthread, which is joined by its destructor
 * check: robust
 * broken: -DDETACHED race
 */
#include <cassert>
#include <thread>

static int data;

int main()
{
	{
#ifdef DETACHED
		std::thread writer([] { data = 3; });
		writer.detach();
#else
		std::jthread writer([] { data = 3; });
#endif
	}
#ifdef DETACHED
	assert(data <= 3);
#else
	assert(data == 3);
#endif
}
