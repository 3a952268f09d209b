/* title: Peterson's lock with the default ordering
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_seq_cst
#endif

class Peterson {
	std::atomic<bool> wants[2] = {false, false};
	std::atomic<int> turn{0};
public:
	void lock(int me)
	{
		wants[me].store(true, ORDER);
		turn.store(1 - me, ORDER);
		while (wants[1 - me].load(ORDER) && turn.load(ORDER) == 1 - me)
			;
	}
	void unlock(int me) { wants[me].store(false, std::memory_order_release); }
};

static Peterson mutex;
static int counter;

static void work(int me)
{
	for (int i = 0; i < 2; i++) {
		mutex.lock(me);
		counter++;
		mutex.unlock(me);
	}
}

int main()
{
	std::thread a(work, 0), b(work, 1);
	a.join();
	b.join();
	assert(counter == 4);
}
