/* title: a std::stop_callback, which runs once
 * check: not-robust
 * broken: -DEARLY race
 */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static int calls;

int main()
{
	std::stop_source source;
	std::thread stops([source]() mutable { source.request_stop(); });
	{
		std::stop_callback callback(source.get_token(), [] { calls++; });
#ifdef EARLY
		assert(calls <= 1);
#endif
	}
	/* The destructor waits for a call that has begun. */
	assert(calls <= 1);
	stops.join();
}
