/* title: and one that each thread has
 * check: refused, the variable `level` without a definition
 * explore: refused, the variable `level` without a definition
 * prove: refused, the variable `level` without a definition
 */
#include <assert.h>

extern _Thread_local int level;

int main(void)
{
	assert(level == 0);
	return 0;
}
