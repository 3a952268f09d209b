/* title: how much was printed is not known
 * check: refused, the result of `printf`, whose length is not known
 * explore: refused, the result of `printf`, whose length is not known
 * prove: alarm
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	int n = 17;
	assert(printf("%d\n", n) == 0);
	return 0;
}
