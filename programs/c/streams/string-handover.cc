/* title: a long std::string changes hands through an atomic pointer
 * check: robust
 * broken: -DORDER=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_acq_rel
#endif

static std::atomic<std::string *> box;

int main() {
  std::thread reader([] {
    std::unique_ptr<std::string> taken(box.exchange(nullptr, ORDER));
    if (taken) assert(taken->substr(0, 4) == "this");
  });
  box.exchange(new std::string("this text is too long for the object itself"), ORDER);
  reader.join();
  delete box.load(std::memory_order_acquire);
}
