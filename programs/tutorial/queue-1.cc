// Step 1: a bounded queue of one producer and one consumer, with relaxed accesses everywhere.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ITEMS
#define ITEMS 2
#endif

template <unsigned SIZE> class Queue {
  int slots[SIZE];
  std::atomic<unsigned> head{0}; // items taken, written by the consumer
  std::atomic<unsigned> tail{0}; // items put in, written by the producer

public:
  bool push(int item) {
    unsigned mine = tail.load(std::memory_order_relaxed);
    if (mine - head.load(std::memory_order_relaxed) == SIZE)
      return false; // full
    slots[mine % SIZE] = item;
    tail.store(mine + 1, std::memory_order_relaxed);
    return true;
  }

  bool pop(int &item) {
    unsigned mine = head.load(std::memory_order_relaxed);
    if (mine == tail.load(std::memory_order_relaxed))
      return false; // empty
    item = slots[mine % SIZE];
    head.store(mine + 1, std::memory_order_relaxed);
    return true;
  }
};

Queue<2> queue;

void produce() {
  for (int i = 0; i < ITEMS; i++)
    while (!queue.push(i)) {
    }
}

int main() {
  std::thread producer(produce);
  for (int i = 0; i < ITEMS; i++) {
    int item;
    while (!queue.pop(item)) {
    }
    assert(item == i);
  }
  producer.join();
}
