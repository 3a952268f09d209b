/* Names that other tools gave to what the C library has: GenMC's, also those that its own headers expand to, and
 * atomic sections of the software verification competition. */

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
int __VERIFIER_thread_self(void) { return (int)__fencepost_self(); }
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

/* All atomic sections are critical sections of one lock. What is outside of all sections may come in between. */
static int atomic_section;
void __VERIFIER_atomic_begin(void) { pthread_spin_lock(&atomic_section); }
void __VERIFIER_atomic_end(void) { pthread_spin_unlock(&atomic_section); }
