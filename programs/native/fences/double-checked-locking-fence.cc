//! title: the same, with an acquire fence
//! expect: no race
#include <atomic>
#include <mutex>
#include <thread>

struct Settings {
  int value = 42;
};

static std::atomic<Settings *> settings;
static std::mutex making;
static std::atomic<int> sum;

static Settings *get() {
  Settings *found = settings.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (found == nullptr) {
    std::lock_guard<std::mutex> guard(making);
    found = settings.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = new Settings;
      settings.store(found, std::memory_order_release);
    }
  }
  return found;
}

static void user() {
  for (int i = 0; i < 3; i++) {
    sum.fetch_add(get()->value, std::memory_order_relaxed);
    std::this_thread::yield();
  }
}

int main() {
  std::thread first(user), second(user);
  first.join();
  second.join();
  delete settings.load();
  return sum == 6 * 42 ? 0 : 1;
}
