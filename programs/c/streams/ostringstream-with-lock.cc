/* title: two threads write to one std::ostringstream
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex mutex;

static void write(std::ostringstream &log, char name) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  log << name;
}

int main() {
  std::ostringstream log;
  std::thread other([&] { write(log, 'a'); });
  write(log, 'b');
  other.join();
  assert(log.str() == "ab" || log.str() == "ba");
}
