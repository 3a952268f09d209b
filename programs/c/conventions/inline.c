/* title: an inline function without another definition has the code that it has here
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: `inline` functions are those of this file, as before C99 (`-fgnu89-inline`)
 */
#include <assert.h>

inline int twice(int n)
{
  return 2 * n;
}

int main(void)
{
  assert(twice(2) == 4);
  return 0;
}
