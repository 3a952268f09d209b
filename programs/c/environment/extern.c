/* title: a variable that is defined elsewhere may hold anything
 * check: refused, extern.c:12: the program reaches the variable `limit` without a definition
 * explore: refused, extern.c:12: the program reaches the variable `limit` without a definition
 * prove: refused, the variable `limit` without a definition
 */
#include <assert.h>

extern int limit;

int main(void)
{
	assert(limit == 0);
	return 0;
}
