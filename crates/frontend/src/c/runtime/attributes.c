/* Attributes of threads, locks and condition variables. What says how a thread is scheduled, where its stack is, or who may see
 * a lock changes nothing here, and is kept for those who ask. */

/* A field that can be set and asked for. The first argument is the object, of `int`s. */
#define KEEPS(object, field, at, lowest, highest)                                   \
  int pthread_##object##_set##field(int *attributes, int value) {                   \
    if (value < (lowest) || value > (highest)) return EINVAL_;                      \
    attributes[at] = value;                                                         \
    return 0;                                                                       \
  }                                                                                 \
  int pthread_##object##_get##field(const int *attributes, int *value) {            \
    *value = attributes[at];                                                        \
    return 0;                                                                       \
  }

/* Threads: 14 words. The first is whether the thread is detached. */
struct thread_attributes { int detached, policy, priority, inherited, scope, unused; size_type guard, stack, stack_size; };

int pthread_attr_init(struct thread_attributes *attributes) {
  if (FAILS) return ENOMEM_;
  attributes->detached = attributes->policy = attributes->priority = attributes->inherited = attributes->scope = 0;
  attributes->guard = 4096, attributes->stack = 0, attributes->stack_size = 8 << 20;
  return 0;
}
int pthread_attr_destroy(struct thread_attributes *attributes) { return 0; }
KEEPS(attr, detachstate, 0, 0, 1)
KEEPS(attr, schedpolicy, 1, 0, 2)
KEEPS(attr, inheritsched, 3, 0, 1)
KEEPS(attr, scope, 4, 0, 1)
int pthread_attr_setschedparam(struct thread_attributes *attributes, const int *parameters) {
  attributes->priority = *parameters;
  return 0;
}
int pthread_attr_getschedparam(const struct thread_attributes *attributes, int *parameters) {
  *parameters = attributes->priority;
  return 0;
}
int pthread_attr_setguardsize(struct thread_attributes *attributes, size_type size) {
  attributes->guard = size;
  return 0;
}
int pthread_attr_getguardsize(const struct thread_attributes *attributes, size_type *size) {
  *size = attributes->guard;
  return 0;
}
int pthread_attr_setstacksize(struct thread_attributes *attributes, size_type size) {
  if (size < 16384) return EINVAL_;
  attributes->stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const struct thread_attributes *attributes, size_type *size) {
  *size = attributes->stack_size;
  return 0;
}
int pthread_attr_setstack(struct thread_attributes *attributes, void *stack, size_type size) {
  if (size < 16384) return EINVAL_;
  attributes->stack = (size_type)stack, attributes->stack_size = size;
  return 0;
}
int pthread_attr_getstack(const struct thread_attributes *attributes, void **stack, size_type *size) {
  *stack = (void *)attributes->stack, *size = attributes->stack_size;
  return 0;
}
int pthread_attr_setaffinity_np(struct thread_attributes *attributes, size_type size, const void *set) { return 0; }
int pthread_getattr_np(unsigned long thread, void *attributes) {
  __fencepost_refuse("`pthread_getattr_np`: where the stack of a thread is");
  return 0;
}

/* Mutexes have one word: two bits are the kind, others the protocol and whether processes share it. */
int pthread_mutexattr_init(int *attributes) {
  if (FAILS) return ENOMEM_;
  *attributes = 0;
  return 0;
}
int pthread_mutexattr_destroy(int *attributes) { return 0; }
static int keep_bits(int *attributes, int shift, int value, int most) {
  if (value < 0 || value > most) return EINVAL_;
  *attributes = (*attributes & ~(3 << shift)) | value << shift;
  return 0;
}
static int kept_bits(const int *attributes, int shift, int *value) {
  *value = *attributes >> shift & 3;
  return 0;
}
int pthread_mutexattr_settype(int *attributes, int kind) { return keep_bits(attributes, 0, kind, ADAPTIVE); }
int pthread_mutexattr_gettype(const int *attributes, int *kind) { return kept_bits(attributes, 0, kind); }
int pthread_mutexattr_setprotocol(int *attributes, int value) { return keep_bits(attributes, 2, value, 2); }
int pthread_mutexattr_getprotocol(const int *attributes, int *value) { return kept_bits(attributes, 2, value); }
int pthread_mutexattr_setpshared(int *attributes, int value) { return keep_bits(attributes, 4, value, 1); }
int pthread_mutexattr_getpshared(const int *attributes, int *value) { return kept_bits(attributes, 4, value); }
int pthread_mutexattr_setprioceiling(int *attributes, int value) { return 0; }
int pthread_mutexattr_setrobust(int *attributes, int value) {
  if (value != 0 && value != 1) return EINVAL_;
  if (value) __fencepost_refuse("a robust mutex");
  return 0;
}
int pthread_mutexattr_getrobust(const int *attributes, int *value) {
  *value = 0;
  return 0;
}
int pthread_mutexattr_setrobust_np(int *attributes, int value) { return pthread_mutexattr_setrobust(attributes, value); }
int pthread_mutexattr_getrobust_np(const int *attributes, int *value) {
  return pthread_mutexattr_getrobust(attributes, value);
}
/* No mutex is robust. */
int pthread_mutex_consistent(int *mutex) { return EINVAL_; }

/* Others have at least one word. */
#define ONE_WORD(object)                                  \
  int pthread_##object##_init(int *attributes) {          \
    if (FAILS) return ENOMEM_;                            \
    *attributes = 0;                                      \
    return 0;                                             \
  }                                                       \
  int pthread_##object##_destroy(int *attributes) { return 0; }
ONE_WORD(rwlockattr)
KEEPS(rwlockattr, pshared, 0, 0, 1)
int pthread_rwlockattr_setkind_np(int *attributes, int value) { return value < 0 || value > 2 ? EINVAL_ : 0; }
ONE_WORD(barrierattr)
KEEPS(barrierattr, pshared, 0, 0, 1)
/* The clock is in the bits above the first. */
ONE_WORD(condattr)
int pthread_condattr_setpshared(int *attributes, int value) { return keep_bits(attributes, 0, value, 1); }
int pthread_condattr_getpshared(const int *attributes, int *value) { return kept_bits(attributes, 0, value); }
int pthread_condattr_setclock(int *attributes, int clock) { return keep_bits(attributes, 2, clock, 1); }
int pthread_condattr_getclock(const int *attributes, int *clock) { return kept_bits(attributes, 2, clock); }

/* Names and scheduling of threads, which nothing depends on. */
int pthread_setname_np(unsigned long thread, const char *name) {
  return strnlen(name, 16) < 16 ? 0 : ERANGE_;
}
int pthread_setaffinity_np(unsigned long thread, size_type size, const void *set) { return 0; }
int pthread_setschedparam(unsigned long thread, int policy, const void *parameters) { return 0; }
int pthread_setschedprio(unsigned long thread, int priority) { return 0; }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL_ : 0; }
int sched_setaffinity(int process, size_type size, const void *set) { return 0; }
int sched_setscheduler(int process, int policy, const void *parameters) { return 0; }
int sched_setparam(int process, const void *parameters) { return 0; }
int sched_get_priority_min(int policy) { return policy == 0 ? 0 : 1; }
int sched_get_priority_max(int policy) { return policy == 0 ? 0 : 99; }
/* How many processors a set has. */
int __sched_cpucount(size_type size, const size_type *set) {
  int count = 0;
  for (size_type i = 0; i < size / sizeof *set; i++) count += __builtin_popcountl(set[i]);
  return count;
}
