/* title: --nondet says what rand returns
 * check: holds
 * explore: holds
 * arguments: check --nondet 5..6
 * arguments: explore --nondet 5..6
 * assumes: `rand` returns 5 to 6
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int number = rand();
	assert(number == 5 || number == 6);
	return 0;
}
