/* Threads, locks, clocks. */

namespace std {
inline namespace __1 {
thread::~thread() {
  if (!__libcpp_thread_isnull(&__t_)) terminate();
}
void thread::join() {
  if (__libcpp_thread_isnull(&__t_)) __throw_system_error(EINVAL, "thread::join failed");
  if (int error = pthread_join(__t_, nullptr)) __throw_system_error(error, "thread::join failed");
  __t_ = _LIBCPP_NULL_THREAD;
}
void thread::detach() {
  if (__libcpp_thread_isnull(&__t_)) __throw_system_error(EINVAL, "thread::detach failed");
  pthread_detach(__t_);
  __t_ = _LIBCPP_NULL_THREAD;
}
unsigned thread::hardware_concurrency() noexcept { return sysconf(_SC_NPROCESSORS_ONLN); }
void this_thread::sleep_for(const chrono::nanoseconds &) {}

/* What a thread does at its end: those of a list, the last one first. */
struct __thread_struct_imp {
  condition_variable *changed;
  mutex *locked;
  __assoc_sub_state *ready;
  __thread_struct_imp *before;
};
__thread_struct::__thread_struct() : __p_(nullptr) {}
__thread_struct::~__thread_struct() {
  while (__thread_struct_imp *last = __p_) {
    __p_ = last->before;
    if (last->ready) {
      last->ready->__make_ready();
      last->ready->__release_shared();
    } else {
      last->changed->notify_all();
      last->locked->unlock();
    }
    delete last;
  }
}
void __thread_struct::notify_all_at_thread_exit(condition_variable *changed, mutex *locked) {
  __p_ = new __thread_struct_imp{changed, locked, nullptr, __p_};
}
void __thread_struct::__make_ready_at_thread_exit(__assoc_sub_state *state) {
  state->__add_shared();
  __p_ = new __thread_struct_imp{nullptr, nullptr, state, __p_};
}
/* A key that nobody needs to make; see keys.c. */
static const unsigned key = 16;
extern "C" void __fencepost_libcxx_thread_ends(void *of_thread) { delete static_cast<__thread_struct *>(of_thread); }
__thread_specific_ptr<__thread_struct> &__thread_local_data() {
  return *const_cast<__thread_specific_ptr<__thread_struct> *>(
      reinterpret_cast<const __thread_specific_ptr<__thread_struct> *>(&key));
}
void notify_all_at_thread_exit(condition_variable &changed, unique_lock<mutex> lock) {
  auto &of_thread = __thread_local_data();
  if (!of_thread.get()) of_thread.set_pointer(new __thread_struct);
  of_thread->notify_all_at_thread_exit(&changed, lock.release());
}

#ifndef _LIBCPP_HAS_TRIVIAL_MUTEX_DESTRUCTION
mutex::~mutex() noexcept {}
#endif
void mutex::lock() {
  if (int error = pthread_mutex_lock(&__m_)) __throw_system_error(error, "mutex lock failed");
}
bool mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

recursive_mutex::recursive_mutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&__m_, &attributes);
}
recursive_mutex::~recursive_mutex() { pthread_mutex_destroy(&__m_); }
void recursive_mutex::lock() { pthread_mutex_lock(&__m_); }
bool recursive_mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void recursive_mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

#ifndef _LIBCPP_HAS_TRIVIAL_CONDVAR_DESTRUCTION
condition_variable::~condition_variable() {}
#endif
void condition_variable::notify_one() noexcept { pthread_cond_signal(&__cv_); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(&__cv_); }
void condition_variable::wait(unique_lock<mutex> &lock) noexcept {
  if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
  pthread_cond_wait(&__cv_, lock.mutex()->native_handle());
}
void condition_variable::__do_timed_wait(unique_lock<mutex> &lock,
                                         chrono::time_point<chrono::system_clock, chrono::nanoseconds> limit) noexcept {
  if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::timed wait: mutex not locked");
  timespec time = {static_cast<time_t>(limit.time_since_epoch().count() / 1000000000),
                   static_cast<long>(limit.time_since_epoch().count() % 1000000000)};
  pthread_cond_timedwait(&__cv_, lock.mutex()->native_handle(), &time);
}

/* The headers have the waits with a time limit, so these have the same state. */
timed_mutex::timed_mutex() : __locked_(false) {}
timed_mutex::~timed_mutex() {}
void timed_mutex::lock() {
  unique_lock<mutex> held(__m_);
  while (__locked_) __cv_.wait(held);
  __locked_ = true;
}
bool timed_mutex::try_lock() noexcept {
  unique_lock<mutex> held(__m_);
  if (__locked_) return false;
  return __locked_ = true;
}
void timed_mutex::unlock() noexcept {
  unique_lock<mutex> held(__m_);
  __locked_ = false;
  __cv_.notify_one();
}

recursive_timed_mutex::recursive_timed_mutex() : __count_(0), __id_{} {}
recursive_timed_mutex::~recursive_timed_mutex() {}
void recursive_timed_mutex::lock() {
  unique_lock<mutex> held(__m_);
  if (__count_ == 0 || __id_ != this_thread::get_id())
    while (__count_ != 0) __cv_.wait(held);
  __id_ = this_thread::get_id();
  __count_++;
}
bool recursive_timed_mutex::try_lock() noexcept {
  unique_lock<mutex> held(__m_);
  if (__count_ != 0 && __id_ != this_thread::get_id()) return false;
  __id_ = this_thread::get_id();
  __count_++;
  return true;
}
void recursive_timed_mutex::unlock() noexcept {
  unique_lock<mutex> held(__m_);
  if (--__count_ > 0) return;
  __id_.__reset();
  __cv_.notify_one();
}

/* The state counts readers; a bit says that a writer is there or waits for the readers to leave. */
__shared_mutex_base::__shared_mutex_base() : __state_(0) {}
void __shared_mutex_base::lock() {
  unique_lock<mutex> held(__mut_);
  while (__state_ & __write_entered_) __gate1_.wait(held);
  __state_ |= __write_entered_;
  while (__state_ & __n_readers_) __gate2_.wait(held);
}
bool __shared_mutex_base::try_lock() {
  unique_lock<mutex> held(__mut_);
  if (__state_ != 0) return false;
  __state_ = __write_entered_;
  return true;
}
void __shared_mutex_base::unlock() {
  unique_lock<mutex> held(__mut_);
  __state_ = 0;
  __gate1_.notify_all();
}
void __shared_mutex_base::lock_shared() {
  unique_lock<mutex> held(__mut_);
  while (__state_ & __write_entered_) __gate1_.wait(held);
  __state_++;
}
bool __shared_mutex_base::try_lock_shared() {
  unique_lock<mutex> held(__mut_);
  if (__state_ & __write_entered_) return false;
  __state_++;
  return true;
}
void __shared_mutex_base::unlock_shared() {
  unique_lock<mutex> held(__mut_);
  __state_--;
  if (__state_ == __write_entered_) __gate2_.notify_one();
}
shared_timed_mutex::shared_timed_mutex() {}
void shared_timed_mutex::lock() { __base_.lock(); }
bool shared_timed_mutex::try_lock() { return __base_.try_lock(); }
void shared_timed_mutex::unlock() { __base_.unlock(); }
void shared_timed_mutex::lock_shared() { __base_.lock_shared(); }
bool shared_timed_mutex::try_lock_shared() { return __base_.try_lock_shared(); }
void shared_timed_mutex::unlock_shared() { __base_.unlock_shared(); }

/* 0 is not called, and all ones is called. */
void __call_once(volatile unsigned long &flag, void *argument, void (*function)(void *)) {
  enum : unsigned long { NOT_CALLED = 0, CALLING = 1, CALLED = ~0ul };
  for (;;) {
    unsigned long now = NOT_CALLED;
    if (__atomic_compare_exchange_n(&flag, &now, CALLING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      struct Mark {
        volatile unsigned long &flag;
        unsigned long state = NOT_CALLED;
        ~Mark() { __atomic_store_n(&flag, state, __ATOMIC_RELEASE); }
      } mark{flag};
      function(argument);
      mark.state = CALLED;
      return;
    }
    if (now == CALLED || (unsigned long)__fencepost_wait(&flag, CALLING, 8, 1, __ATOMIC_ACQUIRE) == CALLED) return;
  }
}

namespace {
timespec time_of(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time;
}
}
chrono::system_clock::time_point chrono::system_clock::now() noexcept {
  timespec time = time_of(CLOCK_REALTIME);
  return time_point(microseconds(time.tv_sec * 1000000 + time.tv_nsec / 1000));
}
time_t chrono::system_clock::to_time_t(const time_point &time) noexcept {
  return time.time_since_epoch().count() / 1000000;
}
chrono::system_clock::time_point chrono::system_clock::from_time_t(time_t time) noexcept { return time_point(seconds(time)); }
chrono::steady_clock::time_point chrono::steady_clock::now() noexcept {
  timespec time = time_of(CLOCK_MONOTONIC);
  return time_point(nanoseconds(time.tv_sec * 1000000000 + time.tv_nsec));
}
}
}
