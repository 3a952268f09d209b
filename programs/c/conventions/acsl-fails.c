/* title: an assertion of ACSL that does not hold is an error in its line
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <stdlib.h>
static int x = 5;

int main(void)
{
  int *px = &x;
  if (*px != 5) abort();
  //@ assert *px != 5;
  return 0;
}
