/* title: the address of such a variable can be used, and the standard streams are there
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <stdio.h>

extern int limit;
int *where = &limit;

int main(void)
{
	if (where == &limit)
		fprintf(stderr, "found\n");
	assert(where != 0);
	return 0;
}
