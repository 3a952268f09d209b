/* title: a reader parses what a writer has published
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static std::string request;
static std::atomic<bool> sent;

int main() {
  std::thread server([] {
    if (!sent.load(std::memory_order_acquire)) return;
    std::istringstream in(request);
    std::string verb;
    int number = 0;
    in >> verb >> number;
    assert(in && verb == "get" && number == 12);
  });
  request = "get 12";
  sent.store(true, ORDER);
  server.join();
}
