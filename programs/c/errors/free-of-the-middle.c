/*! expect: invalid-free at 8 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(4 * sizeof *p);
	p++;
	free(p);
	return 0;
}
