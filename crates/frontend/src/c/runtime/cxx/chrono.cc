/* Clocks of <chrono>: those of the C library. */

extern "C" {
struct timespec {
  long seconds, nanoseconds;
};
int clock_gettime(int clock, struct timespec *time);
}

namespace std {
template <long N, long D> struct ratio;

namespace chrono {
template <typename R, typename P> class duration {
public:
  R count;
};
inline namespace _V2 {
class system_clock;
class steady_clock;
}
template <typename C, typename D> class time_point {
public:
  D since_epoch;
};
using nanoseconds = duration<long, ratio<1, 1000000000>>;
using seconds = duration<long, ratio<1, 1>>;

static nanoseconds time_of(int clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return {time.seconds * 1000000000 + time.nanoseconds};
}
inline namespace _V2 {
class system_clock {
public:
  static const bool is_steady;
  static time_point<system_clock, nanoseconds> now() noexcept;
};
class steady_clock {
public:
  static const bool is_steady;
  static time_point<steady_clock, nanoseconds> now() noexcept;
};
const bool system_clock::is_steady = false;
const bool steady_clock::is_steady = true;
time_point<system_clock, nanoseconds> system_clock::now() noexcept { return {time_of(0)}; }
time_point<steady_clock, nanoseconds> steady_clock::now() noexcept { return {time_of(1)}; }
}
}

namespace this_thread {
/* Time is any time. */
void __sleep_for(chrono::seconds, chrono::nanoseconds) {}
}
}
