/* title: snprintf writes no more than there is room for, sprintf does
 * check: out-of-bounds
 * explore: out-of-bounds
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[4];
	assert(snprintf(line, sizeof line, "%d", 12345) == 5);
	assert(strcmp(line, "123") == 0);
	sprintf(line, "%d", 12345);
	return 0;
}
