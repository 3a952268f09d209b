/* title: a std::list under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <list>
#include <mutex>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::list<int> numbers;
int outcome;

static void add(int number)
{
	LOCK;
	numbers.push_back(number);
	numbers.reverse();
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	for (int number : numbers) outcome = 10 * outcome + number;
	numbers.sort();
	assert(numbers.size() == 2 && numbers.front() == 1 && numbers.back() == 2);
	std::printf("%d\n", outcome);
}
