/*! expect: out-of-bounds at 8 */
#include <stdlib.h>

int main(void)
{
	/* Room for one and a half. */
	int *p = malloc(6);
	p[1] = 1;
	free(p);
	return 0;
}
