/* title: two threads take lines from one std::istringstream
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;

static std::string take(std::istream &from) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  std::string line;
  std::getline(from, line);
  return line;
}

int main() {
  std::istringstream lines("ab\nc\n");
  std::string one;
  std::thread other([&] { one = take(lines); });
  std::string two = take(lines);
  other.join();
  assert(one + two == "abc" || one + two == "cab");
  assert(lines.good() && lines.get() == std::char_traits<char>::eof());
}
