/*! expect: misuse at 9 */
#include <stdio.h>

static const char *names[] = { "zero", "one", NULL };

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("%s\n", names[i]);
	return 0;
}
