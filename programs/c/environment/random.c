/* title: rand returns several numbers, which are named
 * check: assertion
 * explore: assertion
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	srand(1);
	int number = rand();
	assert(number >= 0);
	assert(number != 3);
	return 0;
}
