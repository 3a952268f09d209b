/* title: std::counting_semaphore for one slot
 * check: robust
 * broken: -DSLOTS=2 race
 * broken: -DSLOTS=0 deadlock
 */
#include <cassert>
#include <semaphore>
#include <thread>

#ifndef SLOTS
#define SLOTS 1
#endif

static std::counting_semaphore<4> slots(SLOTS);
static int count;

static void add()
{
	slots.acquire();
	count++;
	slots.release();
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	assert(count == 2);
}
