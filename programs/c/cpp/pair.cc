/* title: std::atomic of a pair
 * check: robust
 * broken: -DRELAXED race
 */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifdef RELAXED
#define RELEASE std::memory_order_relaxed
#else
#define RELEASE std::memory_order_release
#endif

/* A tag that makes each state of the slot another one. The constructor writes the fields one by one. */
struct tagged {
	uint16_t index, tag;
	tagged(uint16_t i, uint16_t t) : index(i), tag(t) {}
	tagged() noexcept : index(0), tag(0) {}
};

static std::atomic<tagged> slot{tagged(7, 0)};
static int value[8];

static void put()
{
	value[1] = 4;
	tagged old = slot.load(std::memory_order_relaxed);
	while (!slot.compare_exchange_weak(old, tagged(1, old.tag + 1), RELEASE, std::memory_order_relaxed)) {
	}
}

int main()
{
	std::thread other(put);
	tagged seen = slot.load(std::memory_order_acquire);
	if (seen.tag == 1)
		assert(value[seen.index] == 4);
	other.join();
	assert(slot.load().index == 1);
	return 0;
}
