/* title: threads print who they are
 * check: robust
 * broken: -DSHARED race
 */
#include <cassert>
#include <iostream>
#include <memory>
#include <sstream>
#include <thread>

static std::thread::id last;

static void tell() {
  std::cout << "thread " << std::this_thread::get_id() << std::endl;
#ifdef SHARED
  last = std::this_thread::get_id();
#endif
}

int main() {
  std::thread other(tell);
  std::ostringstream name;
  name << other.get_id();
  tell();
  assert(!name.str().empty());
  other.join();
}
