/* title: puts returns some number that is not negative
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	assert(puts("hello") == 0);
	return 0;
}
