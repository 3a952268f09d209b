/* title: searching, cutting and replacing in strings, one in each thread
 * check: robust
 * broken: -DSECOND=first race
 */
#include <algorithm>
#include <cassert>
#include <string>
#include <thread>

#ifndef SECOND
#define SECOND second
#endif

int main() {
  std::string first = "a-b-c", second = "left,right";
  std::thread other([&] {
    first.replace(1, 1, "::").erase(4).insert(0, "<").push_back('>');
    assert(first == "<a::b>");
  });
  SECOND.resize(5);
  std::reverse(SECOND.begin(), SECOND.end());
  other.join();
  assert(second == ",tfel" && second.rfind('t') == 1 && second.find_first_of("xyz") == std::string::npos);
}
