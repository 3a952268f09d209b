/* title: all forms of new and delete
 * check: robust
 * broken: -DEARLY freed
 */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <thread>

struct alignas(64) Line {
	int number = 3;
};
struct alignas(1024) Page {
	int number = 4;
};

int main()
{
	auto line = new Line;
	auto page = new Page[1];
	auto plain = new (std::nothrow) int(5);
	auto many = new (std::nothrow) Line[2];
	assert(reinterpret_cast<std::uintptr_t>(line) % 64 == 0 && reinterpret_cast<std::uintptr_t>(page) % 1024 == 0);
	std::thread other([=] {
		assert(line->number + page->number + *plain + many[1].number == 15);
		delete line;
		delete[] page;
	});
#ifdef EARLY
	delete plain;
#endif
	other.join();
#ifndef EARLY
	delete plain;
#endif
	delete[] many;
}
