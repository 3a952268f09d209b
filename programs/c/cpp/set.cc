/* title: a std::set under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::set<int> numbers;
int outcome;

static void add(int number)
{
	LOCK;
	numbers.insert(number);
	numbers.insert(number + 1);
	numbers.erase(2);
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	for (int number : numbers) outcome = 10 * outcome + number;
	assert(outcome == 13);
	std::printf("%d\n", outcome);
}
