/* title: with --nondet, the values are those that were asked for
 * arguments: check --nondet 5..7
 * arguments: explore --nondet 5..7
 * check: holds
 * explore: holds
 * assumes: `__VERIFIER_nondet_short` returns 5 to 7
 */
#include <assert.h>
extern short __VERIFIER_nondet_short(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
  short s = __VERIFIER_nondet_short();
  double d = __VERIFIER_nondet_double();
  assert(s >= 5 && s <= 7 && d >= 5.0 && d <= 7.0 && d + 0.5 != s);
  return 0;
}
