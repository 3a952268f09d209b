/* title: two threads print to std::cout, which is no data race; to set its width meanwhile is one
 * check: robust
 * broken: -DPADDED=std::setw(4) race
 */
#include <iomanip>
#include <iostream>
#include <thread>

#ifndef PADDED
#define PADDED ""
#endif

int main() {
  std::thread other([] { std::cout << "other: " << 42 << ' ' << true << " " << 7u << std::endl; });
  std::cout << "main: " << PADDED << -1 << " " << 5ull << '\n';
  other.join();
}
