/* The names of GenMC's <genmc.h>, so that programs written for GenMC are read as they are. Hints that only make its search
 * smaller mean nothing here. */
#ifndef FENCEPOST_GENMC_H
#define FENCEPOST_GENMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives up the execution when the condition does not hold. An `int`, as programs for GenMC declare it once more. */
void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);

typedef int __VERIFIER_thread_t;
__VERIFIER_thread_t __VERIFIER_spawn(void *(*function)(void *), void *argument);
/* The last argument says that another thread does the same, which makes GenMC count both orders as one. */
__VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument, __VERIFIER_thread_t other);
void *__VERIFIER_join(__VERIFIER_thread_t thread);
void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread);

/* Marks of spin loops, which are found without them. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(bool condition);

#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(cas) do { cas; } while (0)
#define __VERIFIER_helping_CAS(cas) do { cas; } while (0)
#define __VERIFIER_speculative_read(read) (read)
#define __VERIFIER_confirming_read(read) (read)
#define __VERIFIER_confirming_CAS(cas) (cas)
#define __VERIFIER_final_CAS(cas) (cas)
/* What is only there to spend time. */
#define __VERIFIER_optional(statement) do { } while (0)

/* Hazard pointers protect from reuse, and freed memory is never used again here: what is retired stays. */
typedef struct { void *unused; } __VERIFIER_hp_t;
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
#define __VERIFIER_hp_protect(hp, pointer) ((void)(hp), __atomic_load_n((void **)(pointer), __ATOMIC_ACQUIRE))
#define __VERIFIER_hp_clear(hp) ((void)(hp))
#define __VERIFIER_hp_free(hp) ((void)(hp))
#define __VERIFIER_hp_retire(pointer) ((void)(pointer))

#ifdef __cplusplus
}
#endif
#endif
