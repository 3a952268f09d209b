/* title: what printf returns is how much it printed; proofs do not know it
 * check: holds
 * explore: holds
 * prove: alarm
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	int n = 17;
	assert(printf("%d\n", n) == 3);
	return 0;
}
