/* title: an error among the few values that are tried is real
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
extern long __VERIFIER_nondet_long(void);

int main(void)
{
  assert(__VERIFIER_nondet_long() != 2);
  return 0;
}
