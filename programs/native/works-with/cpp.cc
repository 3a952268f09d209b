//! title: C++ threads, locks, local statics, thread-local destructors, exceptions, futures, constructors before main
//! expect: nothing
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::atomic<int> destroyed;
static int guarded;

struct Early {
  std::vector<int> values;
  Early() {
    std::thread worker([this] { values.push_back(1); });
    worker.join();
    values.push_back(2);
  }
};
static Early early;

struct Local {
  std::string name = "local";
  ~Local() {
    std::lock_guard<std::mutex> guard(mutex);
    guarded++;
    destroyed++;
  }
};
static thread_local Local local;

struct Shared {
  std::vector<int> values{1, 2, 3};
};

static const Shared &only() {
  static Shared shared;
  return shared;
}

static void work(int number) {
  local.name += std::to_string(number);
  if (only().values.size() != 3)
    throw std::runtime_error("size");
  try {
    if (number % 2)
      throw std::runtime_error("odd");
  } catch (const std::exception &) {
    std::lock_guard<std::mutex> guard(mutex);
    guarded++;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work, i);
  for (auto &thread : threads)
    thread.join();

  std::condition_variable condition;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return ready; });
    guarded++;
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  condition.notify_one();
  waiter.join();

  std::shared_mutex readers;
  int value = 0;
  std::thread writer([&] {
    std::unique_lock<std::shared_mutex> lock(readers);
    value = 1;
  });
  {
    std::shared_lock<std::shared_mutex> lock(readers);
    guarded += value < 0;
  }
  writer.join();

  auto pointer = std::make_shared<std::string>("shared");
  std::thread user([copy = pointer] { (void)copy->size(); });
  pointer.reset();
  user.join();

  std::printf("%d %d %zu\n", guarded, destroyed.load(), early.values.size());
  return 0;
}
