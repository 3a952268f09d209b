/* title: a vector of words under a lock
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::string> words;

static void add(std::string word) {
#ifndef WITHOUT_LOCK
  std::lock_guard<std::mutex> lock(mutex);
#endif
  words.push_back(std::move(word));
}

int main() {
  std::thread other(add, "one");
  add("two");
  other.join();
  assert(words.size() == 2 && words[0] != words[1]);
}
