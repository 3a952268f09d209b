/* title: bits of a vector in two threads under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<bool> bits;
int outcome;

static void append(bool bit)
{
#ifndef WITHOUT_LOCK
	std::lock_guard<std::mutex> lock(mutex);
#endif
	bits.push_back(bit);
}

int main()
{
	std::thread other(append, true);
	append(false);
	other.join();
	bits.resize(3, true);
	bits[2].flip();
	assert(bits.size() == 3 && bits[0] != bits[1] && !bits[2]);
	outcome = bits[0];
	std::printf("%d\n", outcome);
}
