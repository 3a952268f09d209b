/* title: a std::string is written, and published by a flag
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <iostream>
#include <string>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::string message;
static std::atomic<bool> ready;

int main() {
  std::thread reader([] {
    if (!ready.load(std::memory_order_acquire)) return;
    assert(message.size() == 5);
    std::cout << "received " << message << '\n';
  });
  message = "hello";
  ready.store(true, ORDER);
  reader.join();
}
