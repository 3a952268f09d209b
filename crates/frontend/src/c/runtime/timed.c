/* Waits with a time limit. Any of them may run out of time, whatever the limit is. So a thread in one is not in a deadlock: the
 * analysis knows these functions by name. A limit that is no time matters only to a thread that would have to wait. */

struct timespec { long seconds, nanoseconds; };

static int times_out(void) { return fencepost_choose(0, 1); }
static int is_time(const struct timespec *limit) { return limit->nanoseconds >= 0 && limit->nanoseconds < 1000000000; }

int pthread_mutex_timedlock(int *mutex, const struct timespec *limit) {
  int state = mutex[4];
  if (STRICT) must_be_there(state);
  if (mutex_knows_owner(state) && mutex_is_mine(mutex)) {
    if (mutex_kind(state) == ERRORCHECK) return EDEADLK_;
    mutex[1]++;
    return 0;
  }
  if (!is_time(limit)) return pthread_mutex_trylock(mutex) ? EINVAL_ : 0;
  if (times_out()) return ETIMEDOUT_;
  __fencepost_bcas(mutex, 0, 1, 4, ACQUIRE);
  if (mutex_knows_owner(state)) __atomic_store_n(&mutex[2], (int)__fencepost_self() + 1, RELAXED);
  return 0;
}
int pthread_mutex_clocklock(int *mutex, int clock, const struct timespec *limit) {
  return pthread_mutex_timedlock(mutex, limit);
}

int pthread_rwlock_timedrdlock(int *lock, const struct timespec *limit) {
  object_use(lock);
  if (!is_time(limit)) return pthread_rwlock_tryrdlock(lock) ? EINVAL_ : 0;
  if (times_out()) return ETIMEDOUT_;
  __fencepost_add_when_ge(lock, 1, 0, 4, ACQUIRE);
  return 0;
}
int pthread_rwlock_timedwrlock(int *lock, const struct timespec *limit) {
  object_use(lock);
  if (!is_time(limit)) return pthread_rwlock_trywrlock(lock) ? EINVAL_ : 0;
  if (times_out()) return ETIMEDOUT_;
  __fencepost_bcas(lock, 0, -1, 4, ACQUIRE);
  return 0;
}
int pthread_rwlock_clockrdlock(int *lock, int clock, const struct timespec *limit) {
  return pthread_rwlock_timedrdlock(lock, limit);
}
int pthread_rwlock_clockwrlock(int *lock, int clock, const struct timespec *limit) {
  return pthread_rwlock_timedwrlock(lock, limit);
}

static int fails_with(int error) {
  __fencepost_set_errno(error);
  return -1;
}
int sem_timedwait(int *semaphore, const struct timespec *limit) {
  if (!is_time(limit)) return sem_trywait(semaphore) ? fails_with(EINVAL_) : 0;
  if (times_out()) return fails_with(ETIMEDOUT_);
  __fencepost_add_when_ge(semaphore, -1, 1, 4, ACQUIRE);
  return 0;
}
int sem_clockwait(int *semaphore, int clock, const struct timespec *limit) { return sem_timedwait(semaphore, limit); }

/* A waiter that wakes up, by a signal or by itself, may find that its time is over: it may have consumed the signal then, as
 * POSIX allows. */
int __fencepost_time_is_over(void) { return fencepost_choose(0, 1) ? ETIMEDOUT_ : 0; }
/* Like pthread_cond_wait. */
int pthread_cond_timedwait(int *condition, int *mutex, const struct timespec *limit) {
  condition_use(condition);
  if (!is_time(limit)) return EINVAL_;
  if (PROOF) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return __fencepost_time_is_over();
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
  return __fencepost_time_is_over();
}
int pthread_cond_clockwait(int *condition, int *mutex, int clock, const struct timespec *limit) {
  return pthread_cond_timedwait(condition, mutex, limit);
}

/* C11. */
static int thrd_result(int error) { return error == 0 ? 0 : error == ETIMEDOUT_ ? THRD_TIMEDOUT : THRD_ERROR; }
int mtx_timedlock(int *mutex, const struct timespec *limit) { return thrd_result(pthread_mutex_timedlock(mutex, limit)); }
int cnd_timedwait(int *condition, int *mutex, const struct timespec *limit) {
  return thrd_result(pthread_cond_timedwait(condition, mutex, limit));
}

/* The end of a thread that may not come in time. */
int pthread_tryjoin_np(unsigned long thread, void **result) {
  if (!__atomic_load_n(__fencepost_end_cell(thread), ACQUIRE)) return EBUSY_;
  claim(thread);
  if (result) *result = *__fencepost_result_cell(thread);
  return 0;
}
int pthread_timedjoin_np(unsigned long thread, void **result, const struct timespec *limit) {
  if (!is_time(limit)) return EINVAL_;
  if (times_out()) return ETIMEDOUT_;
  claim(thread);
  __fencepost_wait_eq(__fencepost_end_cell(thread), 1, 8, ACQUIRE);
  if (result) *result = *__fencepost_result_cell(thread);
  return 0;
}
int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const struct timespec *limit) {
  return pthread_timedjoin_np(thread, result, limit);
}

/* Pauses. They order nothing, and other threads may do anything meanwhile, as at any time. */
static int sleeps(const struct timespec *time) {
  if (time->seconds < 0 || !is_time(time)) return EINVAL_;
  return 0;
}
int nanosleep(const struct timespec *time, struct timespec *rest) {
  int error = sleeps(time);
  return error ? fails_with(error) : 0;
}
int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *rest) {
  return is_time(time) ? 0 : EINVAL_;
}
int thrd_sleep(const struct timespec *time, struct timespec *rest) { return sleeps(time) ? -2 : 0; }
int usleep(unsigned microseconds) { return 0; }
unsigned sleep(unsigned seconds) { return 0; }
