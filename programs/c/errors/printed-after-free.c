/*! expect: use-after-free at 10 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *word = calloc(1, 2);
	puts(word);
	free(word);
	puts(word);
	return 0;
}
