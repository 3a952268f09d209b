/* title: a text that another thread publishes is matched with a std::regex
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <regex>
#include <string>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::string text;
static std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    text = "ab";
    ready.store(true, ORDER);
  });
  if (ready.load(std::memory_order_acquire)) assert(std::regex_match(text, std::regex("a.")));
  writer.join();
}
