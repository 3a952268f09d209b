/* title: a std::map under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::map<int, int> squares;
int outcome;

static void add(int number)
{
	LOCK;
	squares[number] = number * number;
}

int main()
{
	std::thread other(add, 2);
	add(1);
	other.join();
	for (auto [number, square] : squares) outcome = 100 * outcome + 10 * number + square;
	assert(squares.begin()->second == 1 && squares.rbegin()->second == 4);
	squares.erase(1);
	assert(squares.size() == 1 && squares.count(2) == 1);
	std::printf("%d\n", outcome);
}
