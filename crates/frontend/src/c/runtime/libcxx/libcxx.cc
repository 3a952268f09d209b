/* What libc++ has in its shared library, beyond what both C++ libraries have: compiled with its headers, which are there
 * if a program was compiled with them. */
#include <algorithm>
#include <any>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <variant>

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <fencepost/waits.h>

extern "C" {
const char *__fencepost_text_of_error(int error);
}
namespace __cxxabiv1 {
extern "C" {
void __cxa_increment_exception_refcount(void *object) noexcept;
void __cxa_decrement_exception_refcount(void *object) noexcept;
void __cxa_rethrow_primary_exception(void *object);
}
}

#include "errors.cc"
#include "memory.cc"
#include "threads.cc"
#include "futures.cc"
