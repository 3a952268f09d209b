/* title: with --failing-calls, printing can fail
 * arguments: all --failing-calls
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	assert(printf("hello\n") == 6);
	return 0;
}
