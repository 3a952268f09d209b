/* title: each thread formats in its own way; a shared stream would be formatted by both
 * check: robust
 * broken: -DSECOND=first race
 */
#include <cassert>
#include <iomanip>
#include <sstream>
#include <thread>

#ifndef SECOND
#define SECOND second
#endif

int main() {
  std::ostringstream first, second;
  std::thread other([&] { first << std::hex << std::showbase << 255; });
  SECOND << std::setw(5) << std::setfill('*') << std::left << 42;
  other.join();
  assert(first.str() == "0xff" && second.str() == "42***");
}
