/* title: a view of a std::string that another thread has written
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <string>
#include <string_view>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_acquire
#endif

static std::string line;
static std::atomic<int> written;

int main() {
  std::thread writer([] {
    line.assign("key=value");
    written.store(1, std::memory_order_release);
  });
  if (written.load(ORDER)) {
    std::string_view view(line);
    std::string_view key = view.substr(0, view.find('='));
    assert(key == "key");
  }
  writer.join();
}
