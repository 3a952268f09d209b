/* title: a few values are tried of what has too many, and no error among them is no answer
 * check: bounded, `__VERIFIER_nondet_int` returns -1 to 2 and `__VERIFIER_nondet_uint` returns 0 to 3
 * explore: bounded, `__VERIFIER_nondet_int` returns -1 to 2 and `__VERIFIER_nondet_uint` returns 0 to 3
 * prove: alarm
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
  int i = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  assert(i + 1 >= 0 && i + 1 <= 3 && u + 1 <= 4);
  return 0;
}
