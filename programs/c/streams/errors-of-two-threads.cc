/* title: std::cerr and std::clog, which two threads use
 * check: robust
 * broken: -DTHIRD=counter++ race
 */
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

static int counter;
#ifndef THIRD
#define THIRD 0
#endif

int main() {
  std::cin.tie(nullptr);
  std::thread other([] {
    std::cerr << std::string("error ") << std::string_view("number", 3) << THIRD << '\n';
    std::clog.write("log", 3).put('\n').flush();
  });
  if (std::cout && std::cout.good()) std::cerr << "state " << THIRD << std::endl;
  other.join();
}
