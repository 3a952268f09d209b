/* title: but not with less than none, and the last one is followed by a null pointer
 * check: holds
 * explore: holds
 */
#include <assert.h>

int main(int argc, char **argv)
{
	assert(argc >= 0);
	assert(argv[argc] == 0);
	for (int i = 0; i < argc; i++)
		assert(argv[i] != 0);
	return 0;
}
