/* title: what a thread throws unwinds through destructors to the handler of a base
 * check: robust
 * broken: -DHANDLER=int assertion
 * broken: -DADD(x)=(x).store((x).load()+1) assertion
 */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef HANDLER
#define HANDLER Problem &
#endif
#ifndef ADD
#define ADD(x) (x).fetch_add(1, std::memory_order_relaxed)
#endif

struct Problem {
	int code;
	virtual ~Problem() {}
};
struct Refused : Problem {
	explicit Refused(int why) { code = why; }
};

static std::atomic<int> ended;

struct Guard {
	~Guard() { ADD(ended); }
};

static void ask(int why)
{
	Guard guard;
	if (why)
		throw Refused(why);
}

static int answer(int why)
{
	try {
		Guard guard;
		ask(why);
		return 0;
	} catch (const char *) {
		return -1;
	} catch (HANDLER) {
		return 1;
	}
}

int main()
{
	std::thread other([] { assert(answer(3) == 1); });
	assert(answer(0) == 0);
	other.join();
	assert(ended.load(std::memory_order_relaxed) == 4);
}
