/* title: a std::unordered_map under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unordered_map>

#ifdef WITHOUT_LOCK
#define LOCK
#else
#define LOCK std::lock_guard guard(mutex)
#endif

static std::mutex mutex;

static std::unordered_map<int, int> squares;
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
	squares[23] = 5;
	squares[12] = 6;
	for (auto [number, square] : squares) outcome = 10 * outcome + square;
	assert(squares.size() == 4 && squares.at(1) == 1 && squares.at(2) == 4);
	std::printf("%d\n", outcome);
}
