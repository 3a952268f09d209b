/* title: double-checked locking
 * check: robust
 * broken: -DFIRST=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef FIRST
#define FIRST std::memory_order_acquire
#endif

struct Config {
	int left = 1, right = 2;
};

static std::atomic<Config *> instance;
static std::mutex mutex;

static Config *get()
{
	Config *config = instance.load(FIRST);
	if (!config) {
		std::lock_guard<std::mutex> lock(mutex);
		config = instance.load(std::memory_order_relaxed);
		if (!config) {
			config = new Config;
			instance.store(config, std::memory_order_release);
		}
	}
	return config;
}

int main()
{
	std::thread other([] { assert(get()->left == 1); });
	assert(get()->right == 2);
	other.join();
	delete instance.load();
}
