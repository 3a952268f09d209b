/* title: a std::forward_list under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <forward_list>
#include <mutex>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::forward_list<int> numbers;
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
	for (int number : numbers) outcome = 10 * outcome + number;
	numbers.remove(1);
	assert(numbers.front() == 2);
	std::printf("%d\n", outcome);
}
