/*! expect: holds */
#include <stdlib.h>

int main(void)
{
	char *text = malloc(5);
	for (int i = 0; i < 5; i++)
		text[i] = 'x';
	free(text);
	return 0;
}
