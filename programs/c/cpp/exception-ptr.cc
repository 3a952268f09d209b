/* title: an exception goes to another thread, and ends when nobody holds it
 * check: robust
 * broken: -DSET=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>

#ifndef SET
#define SET std::memory_order_release
#endif

static int alive;

struct Error {
	int code;
	explicit Error(int c) : code(c) { alive++; }
	Error(const Error &other) : code(other.code) { alive++; }
	~Error() { alive--; }
};

static std::exception_ptr error;
static std::atomic<bool> ready;

int main()
{
	std::thread other([] {
		try {
			throw Error(5);
		} catch (...) {
			error = std::current_exception();
		}
		ready.store(true, SET);
	});
	if (ready.load(std::memory_order_acquire)) {
		int code = 0;
		try {
			std::rethrow_exception(error);
		} catch (Error &e) {
			code = e.code;
		}
		assert(code == 5);
	}
	other.join();
	assert(alive == 1);
	error = nullptr;
	assert(alive == 0 && std::uncaught_exceptions() == 0);
}
