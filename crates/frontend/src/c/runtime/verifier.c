/* Names that other tools gave to what the C library has: GenMC's, also those that its own headers expand to, Dartagnan's,
 * and atomic sections of the software verification competition. */

typedef struct { void *unused; } hazard_pointer;

int __VERIFIER_thread_create(const void *attributes, void *(*function)(void *), void *argument) {
  return (int)spawn(function, argument);
}
int __VERIFIER_thread_create_symmetric(const void *attributes, void *(*function)(void *), void *argument, int other) {
  return (int)spawn(function, argument);
}
int __VERIFIER_spawn(void *(*function)(void *), void *argument) { return (int)spawn(function, argument); }
int __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument, int other) {
  return (int)spawn(function, argument);
}
void *__VERIFIER_thread_join(int thread) { return join(thread); }
void *__VERIFIER_join(int thread) { return join(thread); }
void __VERIFIER_join_symmetric(int thread) { join(thread); }
/* Goblint's: only executions count in which the thread has ended. It may be joined besides. */
void __goblint_assume_join(unsigned long thread) {
  __fencepost_assume(__atomic_load_n(__fencepost_end_cell(named(thread)), ACQUIRE) == 1);
}
int __VERIFIER_thread_self(void) { return (int)__fencepost_self(); }
unsigned __VERIFIER_tid(void) { return __fencepost_self(); }
void __VERIFIER_thread_exit(void *result) { __fencepost_exit_thread(result); }

/* GenMC's mutex is one word. */
int __VERIFIER_mutex_init(int *mutex, const void *attributes) {
  *mutex = 0;
  return 0;
}
int __VERIFIER_mutex_destroy(int *mutex) { return 0; }
int __VERIFIER_mutex_lock(int *mutex) { return pthread_spin_lock(mutex); }
int __VERIFIER_mutex_trylock(int *mutex) { return pthread_spin_trylock(mutex); }
int __VERIFIER_mutex_unlock(int *mutex) { return pthread_spin_unlock(mutex); }

void *__VERIFIER_malloc(size_type size) { return malloc(size); }
void *__VERIFIER_malloc_aligned(size_type alignment, size_type size) { return aligned_alloc(alignment, size); }
void __VERIFIER_free(void *pointer) { free(pointer); }
int __VERIFIER_atexit(void (*function)(void)) { return atexit(function); }

hazard_pointer *__VERIFIER_hp_alloc(void) { return NULL; }
hazard_pointer *__VERIFIER_hazptr_alloc(void) { return NULL; }
void __VERIFIER_hazptr_protect(hazard_pointer *hazard, void *pointer) {}
void __VERIFIER_hazptr_clear(hazard_pointer *hazard) {}
void __VERIFIER_hazptr_free(hazard_pointer *hazard) {}
void __VERIFIER_hazptr_retire(void *pointer) {}

/* Nidhugg's waits for a condition, whose bits are: greater, equal, less, and whether the comparison is signed. Nothing is
 * written in an execution that is abandoned. */
static void __fencepost_await(int condition, int seen, int operand) {
  int is_signed = condition & 8, less = is_signed ? seen < operand : (unsigned)seen < (unsigned)operand;
  __fencepost_assume((condition & (seen == operand ? 2 : less ? 4 : 1)) != 0);
}
int __VERIFIER_load_await_aint(int *p, int condition, int operand) {
  int seen = __atomic_load_n(p, __ATOMIC_SEQ_CST);
  __fencepost_await(condition, seen, operand);
  return seen;
}
int __VERIFIER_xchg_await_aint(int *p, int value, int condition, int operand) {
  int seen = __VERIFIER_load_await_aint(p, condition, operand);
  __fencepost_assume(__atomic_compare_exchange_n(p, &seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return seen;
}

/* Atomic sections are critical sections of one lock. Accesses outside take it too where they must not come in between
 * those of a section: see sections.rs. Sections within each other are one. */
static int __VERIFIER_atomic;
static __thread int __fencepost_section_depth;
void __fencepost_lock_sections(void) { __fencepost_bcas(&__VERIFIER_atomic, 0, 1, 4, ACQUIRE); }
void __fencepost_unlock_sections(void) { __atomic_store_n(&__VERIFIER_atomic, 0, RELEASE); }
int __fencepost_in_section(void) { return __fencepost_section_depth > 0; }
void __fencepost_begin_section(void) {
  if (__fencepost_section_depth++ == 0) __fencepost_lock_sections();
}
void __fencepost_end_section(void) {
  if (__fencepost_section_depth == 0) __fencepost_refuse("the end of an atomic section that has not begun");
  if (--__fencepost_section_depth == 0) __fencepost_unlock_sections();
}
/* The same for code that may be in a section already. */
void __fencepost_lock_sections_outside(void) {
  if (__fencepost_section_depth == 0) __fencepost_lock_sections();
}
void __fencepost_unlock_sections_outside(void) {
  if (__fencepost_section_depth == 0) __fencepost_unlock_sections();
}
