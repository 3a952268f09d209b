/*! expect: holds */
#include <stdlib.h>

int main(void)
{
	free(NULL);
	int *p = realloc(NULL, sizeof *p);
	*p = 3;
	p = realloc(p, 4 * sizeof *p);
	int value = p[0];
	p[3] = value;
	free(p);
	return value != 3;
}
