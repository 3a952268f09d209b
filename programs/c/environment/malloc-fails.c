/* title: with --failing-calls, what malloc returns must be looked at
 * arguments: all --failing-calls
 * check: out-of-bounds
 * explore: out-of-bounds
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 1;
	free(p);
	return 0;
}
