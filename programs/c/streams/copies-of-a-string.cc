/* title: two threads copy a constant std::string; none may change it
 * check: robust
 * broken: -DCHANGE=text[0]='T' race
 */
#include <cassert>
#include <string>
#include <thread>

#ifndef CHANGE
#define CHANGE (void)0
#endif

int main() {
  std::string text = "the quick brown fox jumps over the lazy dog";
  std::thread other([&] {
    std::string copy = text;
    assert(copy.find("fox") == 16);
  });
  CHANGE;
  std::string copy(text, 4, 5);
  assert(copy == "quick");
  other.join();
}
