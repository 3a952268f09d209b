/* title: std::atomic<std::shared_ptr>
 * check: robust
 * broken: -DPLAIN race
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef PLAIN
static std::shared_ptr<int> pointer;
static void set(std::shared_ptr<int> value) { pointer = value; }
static std::shared_ptr<int> get() { return pointer; }
#else
static std::atomic<std::shared_ptr<int>> pointer;
static void set(std::shared_ptr<int> value) { pointer.store(value); }
static std::shared_ptr<int> get() { return pointer.load(); }
#endif

int main()
{
	std::thread writer([] { set(std::make_shared<int>(3)); });
	if (auto found = get()) assert(*found == 3);
	writer.join();
	assert(*get() == 3);
}
