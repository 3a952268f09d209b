/* title: a function `nondet_int` without code returns anything, one with code what it says
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
int nondet_int();
int nondet_own(void) { return 7; }

int main(void)
{
  assert(nondet_own() == 7);
  assert(nondet_int() == 1);
  return 0;
}
