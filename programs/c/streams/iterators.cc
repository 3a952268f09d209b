/* title: threads print containers through iterators of streams
 * check: robust
 * broken: -DSECOND=first race
 */
#include <algorithm>
#include <cassert>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#ifndef SECOND
#define SECOND second
#endif

int main() {
  const std::vector<int> numbers = {1, 2};
  std::ostringstream first, second;
  std::thread other([&] { std::copy(numbers.begin(), numbers.end(), std::ostream_iterator<int>(first, ",")); });
  std::copy(numbers.rbegin(), numbers.rend(), std::ostream_iterator<int>(SECOND, ";"));
  other.join();
  assert(first.str() == "1,2," && second.str() == "2;1;");
}
