/*! expect: uninitialised-read at 8 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *word = malloc(2);
	fputs(word, stderr);
	free(word);
	return 0;
}
