/* title: an assertion of Goblint that does not hold
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <goblint.h>
_Bool nondet_bool();

int main(void)
{
  int a = nondet_bool();
  __goblint_globalize(&a);
  __goblint_split_begin(a);
  __goblint_check(!a);
  return 0;
}
