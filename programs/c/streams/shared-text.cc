/* title: a std::shared_ptr to a text that two threads read; the last one frees it
 * check: robust
 * broken: -DAPPEND=*text+="!" race
 */
#include <cassert>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#ifndef APPEND
#define APPEND (void)0
#endif

int main() {
  auto text = std::make_shared<std::string>("shared");
  std::thread other([text] { assert(text->compare(0, 5, "share") == 0); });
  APPEND;
  std::cout << *text << ' ' << text->size() << std::endl;
  text.reset();
  other.join();
}
