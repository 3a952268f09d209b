/* title: a local number that nothing was assigned to has some value, which stays until its block is entered again
 * arguments: check --uninitialised any
 * arguments: explore --uninitialised any
 * check: holds
 * explore: holds
 */
#include <assert.h>

int main(void)
{
  int any, once = 0;
  if (any > 5) once++;
  if (any <= 5) once++;
  assert(once == 1);
  for (int i = 0; i < 2; i++) {
    _Bool bit;
    if (i == 0) bit = 1;
    assert(bit == 0 || bit == 1);
  }
  return 0;
}
