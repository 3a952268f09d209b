/* What headers call to throw. */

namespace std {
[[noreturn]] void __throw_bad_alloc() { throw bad_alloc(); }
[[noreturn]] void __throw_bad_array_new_length() { throw bad_array_new_length(); }
[[noreturn]] void __throw_bad_function_call() { throw bad_function_call(); }
[[noreturn]] void __throw_logic_error(const char *text) { throw logic_error(text); }
[[noreturn]] void __throw_domain_error(const char *text) { throw domain_error(text); }
[[noreturn]] void __throw_invalid_argument(const char *text) { throw invalid_argument(text); }
[[noreturn]] void __throw_length_error(const char *text) { throw length_error(text); }
[[noreturn]] void __throw_out_of_range(const char *text) { throw out_of_range(text); }
[[noreturn]] void __throw_runtime_error(const char *text) { throw runtime_error(text); }
[[noreturn]] void __throw_range_error(const char *text) { throw range_error(text); }
[[noreturn]] void __throw_overflow_error(const char *text) { throw overflow_error(text); }
[[noreturn]] void __throw_underflow_error(const char *text) { throw underflow_error(text); }
[[noreturn]] void __throw_system_error(int error) { throw system_error({error, &generic_category()}); }

/* `%s`, `%zu` and `%%` are all that headers use. */
[[noreturn]] void __throw_out_of_range_fmt(const char *format, ...) {
  enum { MOST = 160 };
  char text[MOST];
  size_type length = 0;
  auto put = [&](char c) {
    if (length < MOST - 1) text[length++] = c;
  };
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  for (; *format; format++) {
    if (*format != '%') {
      put(*format);
    } else if (*++format == 's') {
      for (const char *from = __builtin_va_arg(arguments, const char *); *from; from++) put(*from);
    } else if (*format == 'z') {
      format++;
      char digits[20];
      int count = 0;
      size_type number = __builtin_va_arg(arguments, size_type);
      do digits[count++] = static_cast<char>('0' + number % 10);
      while (number /= 10);
      while (count > 0) put(digits[--count]);
    } else {
      put(*format);
    }
  }
  __builtin_va_end(arguments);
  text[length] = 0;
  throw out_of_range(text);
}
}
