/* title: new throws an exception, and the program goes on without the memory
 * arguments: all --failing-calls
 * check: holds
 * explore: holds
 */
#include <cassert>
#include <memory>
#include <new>

static int ended;
struct Part {
	~Part() { ended++; }
};

int main()
{
	bool failed = false;
	try {
		auto first = std::make_unique<Part>();
		auto second = std::make_unique<Part>();
	} catch (const std::bad_alloc &) {
		failed = true;
	}
	assert(ended == 2 || failed);
	assert(ended <= 2);
}
