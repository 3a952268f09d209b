/* std::thread and std::condition_variable. */

namespace std {
template <typename T> struct default_delete;
template <typename T, typename D = default_delete<T>> class unique_ptr {
public:
  T *pointer;
  ~unique_ptr();
};
class mutex;
/* Starts with its mutex, which is one of POSIX. */
template <typename M> class unique_lock {
public:
  int *mutex;
  bool owns;
};

class thread {
public:
  struct _State {
    virtual ~_State();
    virtual void _M_run() = 0;
  };
  using _State_ptr = unique_ptr<_State>;
  void join();
  void detach();
  static unsigned hardware_concurrency() noexcept;

private:
  void _M_start_thread(_State_ptr state, void (*unused)());
  void must_be_joinable() const;
  /* 0 is no thread. */
  unsigned long id;
};

thread::_State::~_State() {}

enum { INVALID_ARGUMENT = 22 };

/* An exception that the thread does not catch ends the program. What the thread was given ends with it. */
static void *run_state(void *pointer) noexcept {
  auto state = static_cast<thread::_State *>(pointer);
  state->_M_run();
  delete state;
  return nullptr;
}
void thread::_M_start_thread(_State_ptr state, void (*)()) {
  if (int error = pthread_create(&id, nullptr, run_state, state.pointer)) __throw_system_error(error);
  state.pointer = nullptr;
}

void thread::must_be_joinable() const {
  if (id == 0) __throw_system_error(INVALID_ARGUMENT);
}
void thread::join() {
  must_be_joinable();
  pthread_join(id, nullptr);
  id = 0;
}
void thread::detach() {
  must_be_joinable();
  pthread_detach(id);
  id = 0;
}
unsigned thread::hardware_concurrency() noexcept { return get_nprocs(); }

/* It is a condition variable of POSIX. */
class condition_variable {
  int *condition() { return reinterpret_cast<int *>(this); }

public:
  condition_variable() noexcept;
  ~condition_variable() noexcept;
  void notify_one() noexcept;
  void notify_all() noexcept;
  void wait(unique_lock<mutex> &lock);
};
condition_variable::condition_variable() noexcept { pthread_cond_init(condition(), nullptr); }
condition_variable::~condition_variable() noexcept {}
void condition_variable::notify_one() noexcept { pthread_cond_signal(condition()); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(condition()); }
void condition_variable::wait(unique_lock<mutex> &lock) { pthread_cond_wait(condition(), lock.mutex); }
}

/* What tables of classes have in place of functions that are not there. */
extern "C" void __cxa_pure_virtual() { __fencepost_abort(); }
extern "C" void __cxa_deleted_virtual() { __fencepost_abort(); }

/* If it were 1, libstdc++ would count references without atomic accesses. */
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;
