/* title: two threads write different characters of a std::string
 * check: robust
 * broken: -DSECOND=0 race
 */
#include <cassert>
#include <string>
#include <thread>

#ifndef SECOND
#define SECOND 1
#endif

int main() {
  std::string text = "..";
  char *bytes = &text[0];
  std::thread other([=] { bytes[0] = 'a'; });
  bytes[SECOND] = 'b';
  other.join();
  assert(text == "ab");
}
