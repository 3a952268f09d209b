/* title: std::cout writes to a std::stringbuf: then two threads that print race
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex mutex;

static void print(char c) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  std::cout << c;
}

int main() {
  std::stringbuf buffer;
  std::streambuf *before = std::cout.rdbuf(&buffer);
  std::thread other(print, 'a');
  print('b');
  other.join();
  std::cout.rdbuf(before);
  assert(buffer.str() == "ab" || buffer.str() == "ba");
  std::cout << "back" << std::endl;
}
