/* The C library as analysed programs see it: threads, locks and memory in terms of a few primitives. */
#include "primitives.h"
#include "base.h"

/* Threads. */

/* A thread is joined or detached once. To claim it orders nothing. Proofs assume it. */
static void claim(long thread) {
  if (!PROOF && __atomic_exchange_n(__fencepost_claim_cell(thread), 1, RELAXED)) __fencepost_misuse(CLAIMED);
}

static long spawn(void *(*function)(void *), void *argument) {
  long thread = __fencepost_spawn(function, argument);
  __atomic_store_n(__fencepost_start_cell(thread), 1, RELEASE);
  return thread;
}

/* Programs take a thread that is 0 for none, so that of main has another name. */
enum { MAIN_THREAD = 1 << 20 };
static unsigned long name_of(long thread) { return thread ? thread : MAIN_THREAD; }
static long named(unsigned long name) { return name == MAIN_THREAD ? 0 : name; }

static void *join(unsigned long name) {
  long thread = named(name);
  claim(thread);
  __fencepost_wait_eq(__fencepost_end_cell(thread), 1, 8, ACQUIRE);
  return *__fencepost_result_cell(thread);
}

enum { DETACHED = 1 };

int pthread_create(unsigned long *thread, const int *attributes, void *(*function)(void *), void *argument) {
  if (FAILS) return EAGAIN_;
  *thread = spawn(function, argument);
  if (attributes && *attributes == DETACHED) claim(*thread);
  return 0;
}

int pthread_join(unsigned long thread, void **result) {
  void *value = join(thread);
  if (result) *result = value;
  return 0;
}

static int detach(unsigned long thread) {
  claim(named(thread));
  return 0;
}
int pthread_detach(unsigned long thread) { return detach(thread); }
unsigned long pthread_self(void) { return name_of(__fencepost_self()); }
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; }
/* Wrong use is looked for if STRICT is 1. It costs accesses only where something is initialised or destroyed, and one for each use
 * of a lock for readers and writers or of a condition variable. */

#ifndef STRICT
#define STRICT 0
#endif
enum { INITIALISED = 0x100, GONE = -1 };

/* A local variable may have been another one before. */
static int is_local(const int *object) { return (size_type)object >> 44 == 3 || (size_type)object >> 44 == 4; }
static void must_be_there(int state) {
  if (state == GONE) __fencepost_misuse(DESTROYED);
}
static void must_be_new(const int *object, int state) {
  if (state != GONE && state & INITIALISED && !is_local(object)) __fencepost_misuse(INITIALISED_TWICE);
}

/* Mutexes: word 0 is the lock, word 1 counts for a recursive one, word 2 is the owner plus 1 of one that knows it, word 4 the
 * kind, with what has become of it. */

enum { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2, ADAPTIVE = 3 };
static int mutex_kind(int state) { return state & 3; }
static int mutex_knows_owner(int state) {
  return mutex_kind(state) == RECURSIVE || mutex_kind(state) == ERRORCHECK;
}

static int mutex_is_mine(int *mutex) {
  return __atomic_load_n(&mutex[2], RELAXED) == (int)__fencepost_self() + 1;
}

static void mutex_init(int *mutex, int kind) {
  if (STRICT) must_be_new(mutex, mutex[4]);
  mutex[0] = 0;
  if (mutex_knows_owner(kind)) mutex[1] = mutex[2] = 0;
  mutex[4] = STRICT ? kind | INITIALISED : kind;
}
int pthread_mutex_init(int *mutex, const int *attributes) {
  if (FAILS) return EAGAIN_;
  mutex_init(mutex, attributes ? *attributes & 3 : 0);
  return 0;
}

int pthread_mutex_destroy(int *mutex) {
  if (STRICT) {
    must_be_there(mutex[4]);
    mutex[4] = GONE;
  }
  return 0;
}

int pthread_mutex_lock(int *mutex) {
  int state = mutex[4];
  if (STRICT) must_be_there(state);
  if (mutex_knows_owner(state)) {
    if (mutex_is_mine(mutex)) {
      if (mutex_kind(state) == ERRORCHECK) return EDEADLK_;
      mutex[1]++;
      return 0;
    }
    __fencepost_bcas(mutex, 0, 1, 4, ACQUIRE);
    __atomic_store_n(&mutex[2], (int)__fencepost_self() + 1, RELAXED);
    return 0;
  }
  __fencepost_bcas(mutex, 0, 1, 4, ACQUIRE);
  return 0;
}

int pthread_mutex_trylock(int *mutex) {
  int expected = 0, state = mutex[4];
  if (STRICT) must_be_there(state);
  if (mutex_kind(state) == RECURSIVE && mutex_is_mine(mutex)) {
    mutex[1]++;
    return 0;
  }
  if (!__atomic_compare_exchange_n(mutex, &expected, 1, 0, ACQUIRE, RELAXED)) return EBUSY_;
  if (mutex_knows_owner(state)) __atomic_store_n(&mutex[2], (int)__fencepost_self() + 1, RELAXED);
  return 0;
}

int pthread_mutex_unlock(int *mutex) {
  int state = mutex[4];
  if (STRICT) must_be_there(state);
  if (mutex_knows_owner(state)) {
    if (!mutex_is_mine(mutex)) return EPERM_;
    if (mutex_kind(state) == RECURSIVE && mutex[1] > 0) {
      mutex[1]--;
      return 0;
    }
    __atomic_store_n(&mutex[2], 0, RELAXED);
  }
  __atomic_store_n(mutex, 0, RELEASE);
  return 0;
}

int pthread_spin_init(int *lock, int shared) {
  if (FAILS) return EAGAIN_;
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(int *lock) { return 0; }
int pthread_spin_lock(int *lock) {
  __fencepost_bcas(lock, 0, 1, 4, ACQUIRE);
  return 0;
}
int pthread_spin_trylock(int *lock) {
  int expected = 0;
  return __atomic_compare_exchange_n(lock, &expected, 1, 0, ACQUIRE, RELAXED) ? 0 : EBUSY_;
}
int pthread_spin_unlock(int *lock) {
  __atomic_store_n(lock, 0, RELEASE);
  return 0;
}

static void object_init(int *object) {
  if (STRICT) must_be_new(object, object[1]);
  object[0] = 0;
  if (STRICT) object[1] = INITIALISED;
}
static void object_destroy(int *object) {
  if (STRICT) {
    must_be_there(object[1]);
    object[1] = GONE;
  }
}
static void object_use(const int *object) {
  if (STRICT) must_be_there(object[1]);
}

/* Condition variables: the first eight bytes are the set of waiting threads, word 2 is what has become of it. A signal takes one
 * of them out of the set and wakes it through a word of its own. A thread may also wake up by itself; if it finds then that a
 * signal has chosen it, it has been woken, which is another choice. None of this orders memory: only the mutex does. All changes
 * are updates, so that no ordering is needed for them either. For proofs, a thread wakes up at any time. */

static void condition_use(const int *condition) {
  if (STRICT) must_be_there(condition[2]);
}
static void wake(long waiter) {
  __atomic_exchange_n(__fencepost_wake_cell(__builtin_ctzl(waiter)), 1, RELAXED);
}
/* Signals and the parts of waits have one total order (C++ 33.7.1), so a signal does not miss what came before it. */
static long waiters(int *condition) { return __atomic_fetch_or((long *)condition, 0, RELAXED); }
/* Any one of a set that is not empty. */
static long pick(long set) {
  while (set & (set - 1)) {
    long lowest = set & -set;
    if (fencepost_choose(0, 1)) return lowest;
    set &= ~lowest;
  }
  return set;
}

int pthread_cond_init(int *condition, const void *attributes) {
  if (FAILS) return EAGAIN_;
  if (STRICT) must_be_new(condition, condition[2]);
  *(long *)condition = 0;
  if (STRICT) condition[2] = INITIALISED;
  return 0;
}
int pthread_cond_destroy(int *condition) {
  if (STRICT) {
    must_be_there(condition[2]);
    condition[2] = GONE;
  }
  return 0;
}
/* The member of the set that stands for a thread. */
static long waits_as(long thread) {
  if (thread > 62) __fencepost_refuse("a condition variable in more than 63 threads");
  return 1L << thread;
}
int pthread_cond_wait(int *condition, int *mutex) {
  condition_use(condition);
  if (PROOF) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return 0;
  }
  long self = __fencepost_self(), me = waits_as(self);
  __atomic_fetch_or((long *)condition, me, RELAXED);
  pthread_mutex_unlock(mutex);
  if (fencepost_choose(0, 1)) {
    pthread_mutex_lock(mutex);
    __fencepost_assume((__atomic_fetch_and((long *)condition, ~me, RELAXED) & me) != 0);
  } else {
    __fencepost_bcas(__fencepost_wake_cell(self), 1, 0, 8, RELAXED);
    pthread_mutex_lock(mutex);
  }
  return 0;
}
int pthread_cond_signal(int *condition) {
  condition_use(condition);
  if (PROOF) return 0;
  long waiting = waiters(condition);
  while (waiting) {
    long waiter = pick(waiting);
    waiting = __atomic_fetch_and((long *)condition, ~waiter, RELAXED);
    if (waiting & waiter) {
      wake(waiter);
      break;
    }
  }
  return 0;
}
int pthread_cond_broadcast(int *condition) {
  condition_use(condition);
  if (PROOF || !waiters(condition)) return 0;
  for (long waiting = __atomic_exchange_n((long *)condition, 0, RELAXED); waiting; waiting &= waiting - 1)
    wake(waiting & -waiting);
  return 0;
}

/* Barriers: word 0 counts the threads that have come, word 1 the rounds that have ended, word 2 is how many threads a round waits
 * for. A thread that comes before the last one has ended the round belongs to the next round. */

int pthread_barrier_init(int *barrier, const void *attributes, unsigned count) {
  if (FAILS) return EAGAIN_;
  if (STRICT && barrier[2] != 0 && !is_local(barrier)) __fencepost_misuse(INITIALISED_TWICE);
  barrier[0] = 0;
  barrier[1] = 0;
  barrier[2] = count;
  return 0;
}
int pthread_barrier_destroy(int *barrier) {
  if (STRICT) {
    if (barrier[2] == 0) __fencepost_misuse(NOT_INITIALISED);
    barrier[2] = 0;
  }
  return 0;
}
int pthread_barrier_wait(int *barrier) {
  int count = barrier[2];
  if (count <= 0) {
    if (STRICT) __fencepost_misuse(NOT_INITIALISED);
    return EINVAL_;
  }
  int before = __atomic_fetch_add(&barrier[0], 1, ACQ_REL), round = before / count;
  if (before % count == count - 1) {
    /* Rounds end one after the other. */
    __fencepost_bcas(&barrier[1], round, round + 1, 4, ACQ_REL);
    return -1;
  }
  __fencepost_wait_ge(&barrier[1], round + 1, 4, ACQUIRE);
  return 0;
}

/* Locks for readers and writers: word 0 is the number of readers, or -1, word 1 is what has become of it. Who cannot enter is
 * blocked. */

int pthread_rwlock_init(int *lock, const void *attributes) {
  if (FAILS) return EAGAIN_;
  object_init(lock);
  return 0;
}
int pthread_rwlock_destroy(int *lock) {
  object_destroy(lock);
  return 0;
}
int pthread_rwlock_tryrdlock(int *lock) {
  object_use(lock);
  /* It fails only if there is a writer, not because another reader was faster. */
  for (;;) {
    int readers = __atomic_load_n(lock, RELAXED);
    if (readers < 0) return EBUSY_;
    if (__atomic_compare_exchange_n(lock, &readers, readers + 1, 0, ACQUIRE, RELAXED)) return 0;
  }
}
int pthread_rwlock_trywrlock(int *lock) {
  object_use(lock);
  int expected = 0;
  return __atomic_compare_exchange_n(lock, &expected, -1, 0, ACQUIRE, RELAXED) ? 0 : EBUSY_;
}
int pthread_rwlock_rdlock(int *lock) {
  object_use(lock);
  __fencepost_add_when_ge(lock, 1, 0, 4, ACQUIRE);
  return 0;
}
int pthread_rwlock_wrlock(int *lock) {
  object_use(lock);
  __fencepost_bcas(lock, 0, -1, 4, ACQUIRE);
  return 0;
}
int pthread_rwlock_unlock(int *lock) {
  object_use(lock);
  if (__atomic_load_n(lock, RELAXED) < 0)
    __atomic_store_n(lock, 0, RELEASE);
  else
    __atomic_fetch_sub(lock, 1, RELEASE);
  return 0;
}

enum { NOT_DONE = 0, BEGUN = 1, DONE = 2 };

/* What is called throws an exception: the next thread tries again. */
static void give_up(int **once) {
  if (*once) __atomic_store_n(*once, NOT_DONE, RELEASE);
}
int pthread_once(int *once, void (*function)(void)) {
  if (__atomic_load_n(once, ACQUIRE) == DONE) return 0;
  for (;;) {
    int state = NOT_DONE;
    if (__atomic_compare_exchange_n(once, &state, BEGUN, 0, ACQUIRE, ACQUIRE)) {
      int *begun __attribute__((cleanup(give_up))) = once;
      function();
      begun = NULL;
      __atomic_store_n(once, DONE, RELEASE);
      return 0;
    }
    if (state == DONE || __fencepost_wait(once, BEGUN, 4, 1, ACQUIRE) == DONE) return 0;
  }
}

/* Semaphores: word 0 is the count. */

int sem_init(int *semaphore, int shared, unsigned value) {
  if (FAILS) {
    __fencepost_set_errno(EAGAIN_);
    return -1;
  }
  *semaphore = value;
  return 0;
}
int sem_destroy(int *semaphore) { return 0; }
void *sem_open(const char *name, int flags, ...) {
  __fencepost_refuse("a semaphore with a name (use `sem_init`)");
  return NULL;
}
int sem_wait(int *semaphore) {
  __fencepost_add_when_ge(semaphore, -1, 1, 4, ACQUIRE);
  return 0;
}
int sem_trywait(int *semaphore) {
  for (;;) {
    int value = __atomic_load_n(semaphore, RELAXED);
    if (value <= 0) {
      __fencepost_set_errno(EAGAIN_);
      return -1;
    }
    if (__atomic_compare_exchange_n(semaphore, &value, value - 1, 0, ACQUIRE, RELAXED)) return 0;
  }
}
int sem_post(int *semaphore) {
  __atomic_fetch_add(semaphore, 1, RELEASE);
  return 0;
}
int sem_getvalue(int *semaphore, int *value) {
  *value = __atomic_load_n(semaphore, RELAXED);
  return 0;
}

/* C11 threads. */

enum { THRD_ERROR = 2, THRD_TIMEDOUT = 4 };

int thrd_create(unsigned long *thread, int (*function)(void *), void *argument) {
  if (FAILS) return THRD_ERROR;
  *thread = spawn((void *(*)(void *))function, argument);
  return 0;
}
int thrd_join(unsigned long thread, int *result) {
  int value = (int)(long)join(thread);
  if (result) *result = value;
  return 0;
}
unsigned long thrd_current(void) { return pthread_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
void thrd_exit(int result) { __fencepost_leave_thread((void *)(long)result); }
void thrd_yield(void) {}
int thrd_detach(unsigned long thread) { return detach(thread); }
int mtx_init(int *mutex, int kind) {
  if (FAILS) return THRD_ERROR;
  mutex_init(mutex, kind & 1);
  return 0;
}
void mtx_destroy(int *mutex) { pthread_mutex_destroy(mutex); }
int mtx_lock(int *mutex) { return pthread_mutex_lock(mutex); }
int mtx_trylock(int *mutex) { return pthread_mutex_trylock(mutex) ? 1 : 0; }
int mtx_unlock(int *mutex) { return pthread_mutex_unlock(mutex); }
int cnd_init(int *condition) { return pthread_cond_init(condition, NULL) ? THRD_ERROR : 0; }
void cnd_destroy(int *condition) { pthread_cond_destroy(condition); }
int cnd_wait(int *condition, int *mutex) { return pthread_cond_wait(condition, mutex); }
int cnd_signal(int *condition) { return pthread_cond_signal(condition); }
int cnd_broadcast(int *condition) { return pthread_cond_broadcast(condition); }
void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }

/* Memory. What was freed may be used again, see reuse.c. */

static void *no_memory(void) {
  __fencepost_set_errno(ENOMEM_);
  return NULL;
}
void *malloc(size_type size) { return FAILS ? no_memory() : __fencepost_alloc(size); }
void *calloc(size_type count, size_type size) {
  size_type bytes;
  if (FAILS) return no_memory();
  return __builtin_mul_overflow(count, size, &bytes) ? no_memory() : __fencepost_alloc_zeroed(bytes);
}
static int is_power_of_two(size_type number) { return number != 0 && (number & (number - 1)) == 0; }
void *aligned_alloc(size_type alignment, size_type size) {
  if (!is_power_of_two(alignment)) {
    __fencepost_set_errno(EINVAL_);
    return NULL;
  }
  return FAILS ? no_memory() : __fencepost_alloc_aligned(size, alignment);
}
/* The next power of two is as good. */
void *memalign(size_type alignment, size_type size) {
  size_type power = 1;
  if (FAILS) return no_memory();
  while (power < alignment && power < 1UL << 62) power *= 2;
  return __fencepost_alloc_aligned(size, power);
}
int posix_memalign(void **pointer, size_type alignment, size_type size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL_;
  void *found = FAILS ? NULL : __fencepost_alloc_aligned(size, alignment);
  if (!found) return ENOMEM_;
  *pointer = found;
  return 0;
}
void free(void *pointer) { __fencepost_free(pointer); }
size_type malloc_usable_size(void *pointer) { return pointer ? __fencepost_heap_size(pointer) : 0; }

void *memcpy(void *to, const void *from, size_type size);

void *realloc(void *pointer, size_type size) {
  if (FAILS) return no_memory();
  if (!pointer) return __fencepost_alloc(size);
  size_type old = __fencepost_heap_size(pointer);
  void *moved = NULL;
  if (size > 0) {
    moved = __fencepost_alloc(size);
    if (!moved) return NULL;
    memcpy(moved, pointer, old < size ? old : size);
  }
  __fencepost_free(pointer);
  return moved;
}


/* The end of a program. What was registered runs in reverse order, in the thread that ends the program, while others go on. */

enum { MOST_EXITS = 32 };
struct exits {
  int lock, count;
  void (*functions[MOST_EXITS])(void *);
  void *arguments[MOST_EXITS];
};
static struct exits at_exit, at_fast_exit;

static int run_at(struct exits *exits, void (*function)(void *), void *argument) {
  if (FAILS) return 1;
  __fencepost_bcas(&exits->lock, 0, 1, 4, ACQUIRE);
  int at = exits->count++;
  if (at >= MOST_EXITS) __fencepost_refuse("more than 32 functions that run at the end");
  exits->functions[at] = function;
  exits->arguments[at] = argument;
  __atomic_store_n(&exits->lock, 0, RELEASE);
  return 0;
}
static void run_all(struct exits *exits) {
  for (;;) {
    void (*function)(void *) = NULL;
    void *argument = NULL;
    __fencepost_bcas(&exits->lock, 0, 1, 4, ACQUIRE);
    if (exits->count > 0) {
      int at = --exits->count;
      function = exits->functions[at];
      argument = exits->arguments[at];
    }
    __atomic_store_n(&exits->lock, 0, RELEASE);
    if (!function) return;
    function(argument);
  }
}

int __cxa_atexit(void (*function)(void *), void *argument, void *object) { return run_at(&at_exit, function, argument); }
int __cxa_at_quick_exit(void (*function)(void *), void *object) { return run_at(&at_fast_exit, function, NULL); }
/* A function may be called with more arguments than it takes. */
int atexit(void (*function)(void)) { return run_at(&at_exit, (void (*)(void *))function, NULL); }
int at_quick_exit(void (*function)(void)) { return run_at(&at_fast_exit, (void (*)(void *))function, NULL); }
void exit(int status) {
  __fencepost_end_thread_locals();
  run_all(&at_exit);
  __fencepost_destructors();
  __fencepost_exit(status);
}
void quick_exit(int status) {
  run_all(&at_fast_exit);
  __fencepost_exit(status);
}

/* Streams are there, and nobody looks into them. */
static char streams[3];
void *stdin = &streams[0], *stdout = &streams[1], *stderr = &streams[2];
