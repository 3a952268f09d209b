/* title: a stream that could not read a number fails until it is cleared
 * check: robust
 * broken: -DWITHOUT_CLEAR assertion
 */
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

int main() {
  std::string word;
  std::thread reader([&] {
    std::istringstream in("12 x");
    int a = 0, b = 5;
    in >> a >> b;
    assert(in.fail() && !in.bad() && a == 12 && b == 0);
#ifndef WITHOUT_CLEAR
    in.clear();
#endif
    in >> word;
  });
  reader.join();
  assert(word == "x");
}
