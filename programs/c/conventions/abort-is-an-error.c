/* title: abort is an error
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <stdlib.h>

int main(void)
{
  abort();
}
