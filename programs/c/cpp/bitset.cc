/* title: a std::bitset under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <bitset>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::bitset<70> bits;
int outcome;

static void add(int number)
{
	LOCK;
	bits.set(number * 30);
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	assert(bits.count() == 2 && bits.test(60));
	outcome = bits.count();
	std::printf("%d\n", outcome);
}
