/* title: a local number that nothing was assigned to has any value, another one each time that its block is entered
 * arguments: check --uninitialised any
 * arguments: explore --uninitialised any
 * check: assertion
 * explore: assertion
 */
#include <assert.h>

int main(void)
{
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    int any;
    seen += any == 1000;
  }
  assert(seen != 1);
  return 0;
}
