/* title: a value that is only compared with constants needs no bounds
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
  int size = 0, n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n != 10);
  if (n < -100) size = 1;
  else if (n >= 1000) size = 2;
  switch (__VERIFIER_nondet_uint()) {
  case 7: size += 10; break;
  case 4000000000u: size += 20; break;
  default: size += 30;
  }
  if (__VERIFIER_nondet_int()) size += 100;
  assert(size >= 10 && size <= 132);
  return 0;
}
