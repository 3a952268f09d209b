// Words are put together, cut and counted, in each thread for itself.
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

static long count_words(unsigned seed) {
  static const char *const parts[] = {"fence", "post", "lock", "free", "queue", "stack", "load", "store"};
  std::string text;
  for (int i = 0; i < 25000; i++) {
    seed = seed * 1664525 + 1013904223;
    text += parts[seed >> 29];
    text += parts[seed >> 26 & 7];
    text += ' ';
  }
  std::map<std::string, long> counts;
  for (size_t at = 0, end; (end = text.find(' ', at)) != std::string::npos; at = end + 1)
    counts[text.substr(at, end - at)]++;
  long sum = 0;
  for (const auto &[word, count] : counts)
    sum += count * static_cast<long>(word.size());
  return sum;
}

int main() {
  long sums[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; i++)
    threads.emplace_back([&sums, i] { sums[i] = count_words(i); });
  for (auto &thread : threads)
    thread.join();
  std::printf("%ld\n", sums[0] + sums[1] + sums[2] + sums[3]);
}
