/*! expect: holds */
#include <stdlib.h>

int main(void)
{
	int *p = calloc(2, sizeof *p);
	int value = p[1];
	free(p);
	return value;
}
