/* title: two strings are exchanged under one lock; with two locks in different orders there would be a deadlock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::string left = "l", right = "a long text, which is on the heap";

static void exchange() {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  left.swap(right);
}

int main() {
  std::thread other(exchange);
  exchange();
  other.join();
  assert(left == "l" && right.size() == 33);
}
