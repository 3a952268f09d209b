/* title: nor is the environment
 * check: refused, the environment of the program
 * explore: refused, the environment of the program
 * prove: refused, the environment of the program
 */
#include <assert.h>

int main(int argc, char **argv, char **envp)
{
	assert(envp[0] == 0);
	return 0;
}
