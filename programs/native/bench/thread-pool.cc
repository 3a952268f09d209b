// A pool of threads that take functions from a queue behind a mutex and a condition variable.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int size) {
    for (int i = 0; i < size; i++)
      threads.emplace_back([this] { work(); });
  }

  ~Pool() {
    {
      std::lock_guard guard(mutex);
      closed = true;
    }
    ready.notify_all();
    for (auto &thread : threads)
      thread.join();
  }

  void add(std::function<void()> task) {
    {
      std::lock_guard guard(mutex);
      tasks.push_back(std::move(task));
    }
    ready.notify_one();
  }

private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex);
      ready.wait(lock, [this] { return closed || !tasks.empty(); });
      if (tasks.empty())
        return;
      auto task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex;
  std::condition_variable ready;
  std::deque<std::function<void()>> tasks;
  std::vector<std::thread> threads;
  bool closed = false;
};

int main() {
  const int count = 30000;
  std::vector<long> results(count);
  {
    Pool pool(3);
    for (int i = 0; i < count; i++)
      pool.add([&results, i] {
        long sum = 0;
        for (int k = 0; k < 100; k++)
          sum += k ^ i;
        results[i] = sum;
      });
  }
  long sum = 0;
  for (long result : results)
    sum += result;
  std::printf("%ld\n", sum);
}
