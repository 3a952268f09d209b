/* title: how much was printed, where that is known
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	assert(printf("hello\n") == 6);
	assert(fprintf(stderr, "bye\n") == 4);
	assert(putchar('x') == 'x');
	assert(puts("well") >= 0);
	return 0;
}
