/*! expect: uninitialised-read at 7 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(2 * sizeof *p);
	int value = p[1];
	free(p);
	return value;
}
