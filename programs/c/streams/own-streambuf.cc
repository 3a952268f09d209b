/* title: a stream buffer of the program's own counts lines
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <thread>

class Counter : public std::streambuf {
  std::mutex mutex;
  void count(char c) {
#ifndef WITHOUT_LOCK
    std::lock_guard<std::mutex> lock(mutex);
#endif
    lines += c == '\n';
  }

protected:
  int overflow(int c) override {
    count(static_cast<char>(c));
    return c;
  }

public:
  int lines = 0;
};

int main() {
  Counter counter;
  std::thread other([&] {
    std::ostream out(&counter);
    out << "a\n";
  });
  std::ostream out(&counter);
  out << std::endl;
  other.join();
  assert(counter.lines == 2);
}
