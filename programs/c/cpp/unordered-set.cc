/* title: a std::unordered_set under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unordered_set>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::unordered_set<int> numbers;
int outcome;

static void add(int number)
{
	LOCK;
	numbers.insert(number);
	numbers.erase(1);
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	assert(numbers.size() == 1 && numbers.count(2) == 1);
	outcome = *numbers.begin();
	std::printf("%d\n", outcome);
}
