/* title: a queue of one place whose threads signal one condition variable after they give up the lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int items;

static void add() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return items == 0; });
#ifdef WITHOUT_LOCK
  lock.unlock();
#endif
  items++; /* race */
#ifndef WITHOUT_LOCK
  lock.unlock();
#endif
  changed.notify_all();
}

static void take() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return items > 0; }); /* race */
  items--;                                      /* race */
  lock.unlock();
  changed.notify_all();
}

int main() {
  std::thread producer([] {
    add();
    add();
  });
  take();
  take();
  producer.join();
  assert(items == 0);
}
