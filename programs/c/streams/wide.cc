/* title: strings and streams of wide characters
 * check: robust
 * broken: -DSECOND=first race
 */
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

#ifndef SECOND
#define SECOND second
#endif

int main() {
  std::wstring first, second;
  std::thread other([&] { first = L"left"; });
  std::wostringstream out;
  out << L'r' << "ight" << 2;
  SECOND = out.str();
  other.join();
  assert(first == L"left" && second == L"right2");
}
