/*! expect: use-after-free at 9 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 1;
	free(p);
	return *p;
}
