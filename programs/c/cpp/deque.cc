/* title: a std::deque under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::deque<int> numbers;
int outcome;

static void add(int number)
{
	LOCK;
	numbers.push_front(number);
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	assert(numbers.size() == 2 && numbers.front() + numbers.back() == 3);
	for (int number : numbers) outcome = 10 * outcome + number;
	std::printf("%d\n", outcome);
}
