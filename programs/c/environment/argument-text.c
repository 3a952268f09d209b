/* title: what an argument says is not known
 * check: refused, argument-text.c:12: the program reaches the text of a command-line argument
 * explore: refused, argument-text.c:12: the program reaches the text of a command-line argument
 * prove: refused, the command-line arguments
 */
#include <assert.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 0;
	assert(argv[1][0] != 'x');
	return 0;
}
