/* title: a program may be called with arguments
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>

int main(int argc, char **argv)
{
	assert(argc == 0);
	return 0;
}
