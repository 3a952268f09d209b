/* title: two threads append to one std::string
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::string text;

static void append(const char *what) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  text += what;
}

int main() {
  std::thread other([] { append("one"); });
  append("two");
  other.join();
  assert(text == "onetwo" || text == "twoone");
}
