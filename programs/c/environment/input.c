/* title: input is refused where it is read
 * check: refused, reads input
 * explore: refused, reads input
 */
#include <stdio.h>

int main(void)
{
	char line[10];
	return fgets(line, sizeof line, stdin) ? 0 : 1;
}
