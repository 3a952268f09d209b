/* title: so may an array of which not even the length is known
 * check: refused, the variable `table` without a definition
 * explore: refused, the variable `table` without a definition
 * prove: refused, the variable `table` without a definition
 */
#include <assert.h>

extern int table[];

int main(void)
{
	assert(table[100] == 0);
	return 0;
}
