/* title: the one value that fails is found, however large
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n > 5000000000ul) assert(n != 12345678901234567890ul);
  return 0;
}
