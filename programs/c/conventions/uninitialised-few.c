/* title: where all values of a local number count, only some are tried
 * arguments: check --uninitialised any
 * arguments: explore --uninitialised any
 * check: bounded, `any` is -1 to 2 where it is uninitialised
 * explore: bounded, `any` is -1 to 2 where it is uninitialised
 */
#include <assert.h>

int main(void)
{
  int any;
  long twice = 2L * any;
  assert(twice % 2 == 0);
  return 0;
}
