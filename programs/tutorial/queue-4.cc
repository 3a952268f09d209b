// Step 4: push and pop wait instead of failing, and the test never ends.
#include <atomic>
#include <cassert>
#include <thread>

template <unsigned SIZE> class Queue {
  static constexpr unsigned ROUND = 2 * SIZE; // Counters start again here, so that there are finitely many states.
  int slots[SIZE];
  std::atomic<unsigned> head{0};
  std::atomic<unsigned> tail{0};

public:
  void push(int item) {
    unsigned mine = tail.load(std::memory_order_relaxed);
    while (head.load(std::memory_order_acquire) == (mine + SIZE) % ROUND) {
    } // full
    slots[mine % SIZE] = item;
    tail.store((mine + 1) % ROUND, std::memory_order_release);
  }

  int pop() {
    unsigned mine = head.load(std::memory_order_relaxed);
    while (tail.load(std::memory_order_acquire) == mine) {
    } // empty
    int item = slots[mine % SIZE];
    head.store((mine + 1) % ROUND, std::memory_order_release);
    return item;
  }
};

Queue<2> queue;

void produce() {
  for (int i = 0;; i = (i + 1) % 3)
    queue.push(i);
}

int main() {
  std::thread producer(produce);
  for (int i = 0;; i = (i + 1) % 3)
    assert(queue.pop() == i);
}
