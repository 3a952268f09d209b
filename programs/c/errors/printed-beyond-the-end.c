/*! expect: out-of-bounds at 10 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *word = malloc(2);
	word[0] = word[1] = 'x';
	printf("%.2s\n", word);
	printf("%d %s\n", 1, word);
	free(word);
	return 0;
}
