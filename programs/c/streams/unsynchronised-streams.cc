/* title: after sync_with_stdio(false), two threads that print at once to std::cerr and std::clog race
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex mutex;

static void print(std::ostream &out, const char *text) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  out << text << '\n';
}

int main() {
  assert(std::ios::sync_with_stdio(false));
  assert(!std::ios::sync_with_stdio());
  std::thread other([] { print(std::clog, "other"); });
  print(std::cerr, "main");
  other.join();
}
