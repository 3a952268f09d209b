/* title: an object with an operator<< of its own is printed while another thread changes it
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <iostream>
#include <mutex>
#include <thread>

struct Point {
  int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &point) {
  return out << '(' << point.x << ", " << point.y << ')';
}

static std::mutex mutex;
static Point shared = {1, 2};

int main() {
  std::thread mover([] {
    std::lock_guard<std::mutex> lock(mutex);
    shared.x++;
    shared.y++;
  });
  {
#ifndef WITHOUT_LOCK
    std::lock_guard<std::mutex> lock(mutex);
#endif
    std::cout << shared << std::endl;
  }
  mover.join();
}
