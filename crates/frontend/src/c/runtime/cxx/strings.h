/* std::string as far as exceptions and error categories need it: its layout, and how one begins and ends. */

namespace std {
template <typename C> struct char_traits;
template <typename T> struct allocator;

inline namespace __cxx11 {
template <typename C, typename T, typename A> class basic_string;

template <> class basic_string<char, char_traits<char>, allocator<char>> {
  enum : size_type { SHORT = 15 };
  char *start;
  size_type length;
  union {
    char inside[SHORT + 1];
    size_type capacity;
  };

public:
  __attribute__((always_inline)) explicit basic_string(const char *text) : start(inside), length(strlen(text)) {
    if (length > SHORT) {
      start = static_cast<char *>(operator new(length + 1));
      capacity = length;
    }
    memcpy(start, text, length + 1);
  }
  basic_string(const basic_string &) = delete;
  __attribute__((always_inline)) ~basic_string() {
    if (start != inside) operator delete(start);
  }
  __attribute__((always_inline)) const char *c_str() const { return start; }
};
using string = basic_string<char, char_traits<char>, allocator<char>>;
}
}
