/* title: threads make text of numbers and numbers of text, each its own
 * check: robust
 * broken: -DSHARED=shared race
 */
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

static std::string shared;
#ifndef SHARED
#define SHARED own
#endif

static int rounds(int number) {
  std::string own;
  SHARED = std::to_string(number) + " " + std::to_string(-number);
  std::istringstream in(own.empty() ? "0 0" : own);
  int a = 1, b = 1;
  in >> a >> b;
  return a + b;
}

int main() {
  int other_sum = 1;
  std::thread other([&] { other_sum = rounds(1234); });
  int sum = rounds(77);
  other.join();
  assert(sum == 0 && other_sum == 0);
}
