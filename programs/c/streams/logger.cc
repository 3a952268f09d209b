/* title: a logger that puts a line together and keeps it
 * check: robust
 * broken: -DWITHOUT_LOCK race
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

class Logger {
  std::mutex mutex;
  std::vector<std::string> lines;

public:
  Logger() { lines.reserve(2); }
  template <class... Parts> void log(const Parts &...parts) {
    std::ostringstream line;
    (line << ... << parts);
#ifndef WITHOUT_LOCK
    std::lock_guard<std::mutex> lock(mutex);
#endif
    lines.push_back(line.str());
  }
  size_t size() const { return lines.size(); }
};

int main() {
  Logger logger;
  std::thread other([&] { logger.log("n=", 3); });
  logger.log("x", 'y');
  other.join();
  assert(logger.size() == 2);
}
