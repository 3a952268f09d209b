/* title: a std::weak_ptr to what may be gone
 * check: robust
 * broken: -DRAW freed
 */
#include <cassert>
#include <memory>
#include <thread>

int main()
{
	std::shared_ptr<int> owner(new int(3));
	std::weak_ptr<int> watcher = owner;
	int *raw = owner.get();
	std::thread other([owner = std::move(owner)]() mutable { owner.reset(); });
#ifdef RAW
	assert(*raw == 3);
#else
	(void)raw;
	if (auto still = watcher.lock()) assert(*still == 3);
#endif
	other.join();
	assert(watcher.expired());
}
