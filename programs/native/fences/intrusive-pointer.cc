//! title: a count as in boost::intrusive_ptr: release, and a fence before the delete
//! expect: no race
#include <atomic>
#include <mutex>
#include <thread>

class Counted {
public:
  int values[2] = {0, 0};
  void release() {
    if (references.fetch_sub(1, std::memory_order_release) == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
      delete this;
    }
  }

private:
  std::atomic<int> references{2};
};

int main() {
  Counted *object = new Counted;
  auto user = [object](int number) {
    object->values[number] = 1;
    object->release();
  };
  std::thread first(user, 0), second(user, 1);
  first.join();
  second.join();
  return 0;
}
