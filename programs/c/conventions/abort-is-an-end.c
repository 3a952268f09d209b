/* title: abort can be an end
 * arguments: all --abort end
 * check: holds
 * explore: holds
 * assumes: `abort` is an end of the program (`--abort error`: an error)
 */
#include <stdlib.h>

int main(void)
{
  abort();
}
