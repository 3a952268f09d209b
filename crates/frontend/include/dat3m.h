/* What programs for Dartagnan call, under the name of its header. Loops are bounded by `--unroll`, and spin loops are found
 * without marks. */
#ifndef FENCEPOST_DAT3M_H
#define FENCEPOST_DAT3M_H

#ifdef __cplusplus
extern "C" {
#define FENCEPOST_BOOL bool
#else
#define FENCEPOST_BOOL _Bool
#endif

int __VERIFIER_nondet_int(void);
int __VERIFIER_nondet_uint(void);
FENCEPOST_BOOL __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
void __VERIFIER_loop_bound(int iterations);
unsigned __VERIFIER_tid(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int condition);

#define await_while(condition) while (condition)

#undef FENCEPOST_BOOL
#ifdef __cplusplus
}
#endif
#endif
