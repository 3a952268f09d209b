/* title: a realloc that fails leaves the old object, which is lost here
 * arguments: explore --failing-calls --leaks
 * explore: leak
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(4);
	if (!p)
		return 0;
	p = realloc(p, 8);
	free(p);
	return 0;
}
