/* title: an assertion in what runs at the end fails
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <stdlib.h>

static int freed;

static void check(void) { assert(freed); }

int main(void)
{
	atexit(check);
	exit(0);
}
