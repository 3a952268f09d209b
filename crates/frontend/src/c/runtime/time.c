/* Time. All clocks are one number, which a reading may move on by a large step. It does not go back (accesses to one location
 * are coherent), and orders nothing. A thread that has read the same time several times moves it on, so that loops that wait for
 * a time end. In proofs, each reading is any time. */

enum { MOST_STEPS = 3, MOST_SAME = 2, SECONDS_A_STEP = 1000, FIRST_SECOND = 1000000 };
static int steps;
static __thread int same;

/* No thread is in a deadlock here: time would go on. */
int __fencepost_steps_of_time(void) {
  int now = __atomic_load_n(&steps, RELAXED);
  if (now == MOST_STEPS) {
    same = 0;
    return now;
  }
  if (same < MOST_SAME && fencepost_choose(0, 1)) {
    same++;
    return now;
  }
  same = 0;
  return __atomic_compare_exchange_n(&steps, &now, now + 1, 0, RELAXED, RELAXED) ? now + 1 : now;
}
static long seconds(void) {
  return PROOF ? __fencepost_any_number() : FIRST_SECOND + (long)__fencepost_steps_of_time() * SECONDS_A_STEP;
}
/* The part of a second. */
static long part(long whole) { return PROOF ? __fencepost_any_number() % whole : 0; }

long time(long *to) {
  long now = seconds();
  if (to) *to = now;
  return now;
}
/* In microseconds, since the program began. */
long clock(void) {
  if (PROOF) return __fencepost_any_number();
  return (seconds() - FIRST_SECOND) * 1000000;
}
/* The processor's counter, at 1 GHz. */
unsigned long __fencepost_ticks(void) { return PROOF ? __fencepost_any_number() : seconds() * 1000000000; }
/* POSIX and Linux have clocks 0 to 11; others are those of a thread or process. */
int clock_gettime(int clock, struct timespec *to) {
  if (clock > 11) return fails_with(EINVAL_);
  to->seconds = seconds();
  to->nanoseconds = part(1000000000);
  return 0;
}
int clock_getres(int clock, struct timespec *to) {
  if (clock > 11) return fails_with(EINVAL_);
  if (to) to->seconds = 0, to->nanoseconds = 1;
  return 0;
}
int gettimeofday(struct timespec *to, void *zone) {
  if (zone) __fencepost_refuse("the time zone of `gettimeofday`");
  to->seconds = seconds();
  to->nanoseconds = part(1000000);
  return 0;
}
int timespec_get(struct timespec *to, int base) {
  if (base != 1) return 0;
  clock_gettime(0, to);
  return base;
}
int timespec_getres(struct timespec *to, int base) {
  if (base != 1) return 0;
  clock_getres(0, to);
  return base;
}
int pthread_getcpuclockid(unsigned long thread, int *clock) {
  *clock = 3;
  return 0;
}
double difftime(long end, long start) { return (double)(end - start); }
