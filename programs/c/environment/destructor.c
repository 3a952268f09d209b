/* title: a destructor runs after main
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>

static int open;

__attribute__((destructor)) static void closed(void) { assert(!open); }

int main(void)
{
	open = 1;
	return 0;
}
