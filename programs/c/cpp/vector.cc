/* title: a std::vector under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::vector<int> numbers;
int outcome;

static void add(int number)
{
	LOCK;
	numbers.push_back(number);
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	assert(numbers.size() == 2 && numbers[0] + numbers[1] == 3);
	for (int number : numbers) outcome = 10 * outcome + number;
	std::printf("%d\n", outcome);
}
