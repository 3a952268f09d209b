/* title: std::osyncstream makes output to one stream arrive in pieces, without a race
 * check: robust
 * broken: -DTO(stream)=stream race
 * flags: -std=c++20
 */
#include <cassert>
#include <sstream>
#include <syncstream>
#include <thread>

#ifndef TO
#define TO(stream) std::osyncstream(stream)
#endif

int main() {
  std::ostringstream all;
  std::thread other([&] { TO(all) << 'a' << 'b'; });
  TO(all) << 'c';
  other.join();
  assert(all.str() == "abc" || all.str() == "cab");
}
