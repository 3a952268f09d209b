/* What a program asks of the system that it runs on, and numbers that nothing determines. */

/* Random numbers: any value. How many are tried is in the options. */
int rand(void) { return __fencepost_any_random(); }
long random(void) { return __fencepost_any_random(); }
long lrand48(void) { return __fencepost_any_random(); }
int rand_r(unsigned *seed) {
  *seed = *seed;
  return __fencepost_any_random();
}
double drand48(void) { return PROOF ? __fencepost_any_number() * 0x1p-63 : fencepost_choose(0, 3) / 4.0; }
/* The state of the generator is hidden. */
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}

char *getenv(const char *name) {
  __fencepost_read_string(name, -1);
  return NULL;
}
char *secure_getenv(const char *name) { return getenv(name); }

enum { PAGE = 4096, PROCESSORS = 4, PROCESS = 1000 };
int getpagesize(void) { return PAGE; }
long sysconf(int what) {
  switch (what) {
  case 30: return PAGE;
  /* The processors that there are, and those that work. */
  case 83:
  case 84: return PROCESSORS;
  case 2: return 100;
  case 190: return 64;
  }
  __fencepost_refuse("`sysconf` of something else than the size of a page, a cache line or a tick, or the number of processors");
  return -1;
}
int get_nprocs(void) { return PROCESSORS; }
int get_nprocs_conf(void) { return PROCESSORS; }
int getpid(void) { return PROCESS; }
int getppid(void) { return 1; }
int gettid(void) { return PROCESS + (int)__fencepost_self(); }
int isatty(int file) {
  __fencepost_set_errno(25);
  return 0;
}

/* Signals. None comes, so only what a handler would do is refused. */
void *signal(int number, void *handler) {
  if ((size_type)handler > 1) __fencepost_refuse("a signal handler");
  return NULL;
}
int sigaction(int number, void *const *action, void **old) {
  if (action && (size_type)*action > 1) __fencepost_refuse("a signal handler");
  if (old) __fencepost_refuse("the old action of `sigaction`");
  return 0;
}
int sigemptyset(size_type *set) {
  for (int i = 0; i < 16; i++) set[i] = 0;
  return 0;
}
int sigfillset(size_type *set) {
  for (int i = 0; i < 16; i++) set[i] = -1;
  return 0;
}
static int change_set(size_type *set, int number, int is_member) {
  if (number < 1 || number > 64) return fails_with(EINVAL_);
  if (is_member)
    set[0] |= 1UL << (number - 1);
  else
    set[0] &= ~(1UL << (number - 1));
  return 0;
}
int sigaddset(size_type *set, int number) { return change_set(set, number, 1); }
int sigdelset(size_type *set, int number) { return change_set(set, number, 0); }
int sigismember(const size_type *set, int number) {
  return number < 1 || number > 64 ? fails_with(EINVAL_) : (int)(set[0] >> (number - 1) & 1);
}
int pthread_sigmask(int how, const void *set, void *old) {
  if (old) __fencepost_refuse("the old mask of `pthread_sigmask`");
  return 0;
}
int sigprocmask(int how, const void *set, void *old) { return pthread_sigmask(how, set, old); }
/* The end of the program by a signal. */
int raise(int number) {
  if (number != 6) __fencepost_refuse("`raise` of another signal than `SIGABRT`");
  __fencepost_abort();
  return 0;
}

/* Memory from the system: anonymous and private, at an address of the system's choice. */
void *mmap(void *at, size_type size, int protection, int flags, int file, long offset) {
  enum { PRIVATE = 2, FIXED = 0x10, ANONYMOUS = 0x20, NONE = -1 };
  if (!(flags & ANONYMOUS)) __fencepost_refuse("`mmap` of a file");
  if (flags & FIXED) __fencepost_refuse("`mmap` at a fixed address");
  if (protection != 3 && protection != 7) __fencepost_refuse("`mmap` of memory that cannot be read and written");
  if (size == 0 || FAILS) {
    __fencepost_set_errno(size ? ENOMEM_ : EINVAL_);
    return (void *)-1L;
  }
  return __fencepost_alloc_zeroed_aligned((size + PAGE - 1) / PAGE * PAGE, PAGE);
}
int munmap(void *at, size_type size) {
  if (__fencepost_heap_size(at) != (size + PAGE - 1) / PAGE * PAGE) __fencepost_refuse("`munmap` of a part of what was mapped");
  __fencepost_free(at);
  return 0;
}
int posix_madvise(void *at, size_type size, int advice) { return 0; }
int mlock(const void *at, size_type size) { return 0; }
int munlock(const void *at, size_type size) { return 0; }

void *reallocarray(void *pointer, size_type count, size_type size) {
  size_type bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? no_memory() : realloc(pointer, bytes);
}
void *valloc(size_type size) { return memalign(PAGE, size); }
void cfree(void *pointer) { free(pointer); }
