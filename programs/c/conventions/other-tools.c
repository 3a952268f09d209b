/* title: assumptions and assertions by the names of CBMC, ESBMC and Goblint
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <goblint.h>
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
_Bool nondet_bool();

int main(void)
{
  int a = nondet_bool(), b = nondet_bool(), c = nondet_bool();
  __CPROVER_assume(a);
  __ESBMC_assume(b);
  __goblint_assume(c);
  __CPROVER_assert(a, "a");
  __ESBMC_assert(b, "b");
  __goblint_check(c);
  __goblint_assert(c);
  return 0;
}
