/*! expect: out-of-bounds at 7 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	p[-1] = 1;
	free(p);
	return 0;
}
