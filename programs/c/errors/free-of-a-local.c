/*! expect: invalid-free at 8 */
#include <stdlib.h>

int main(void)
{
	int local = 0;
	int *p = &local;
	free(p);
	return 0;
}
