/*! expect: holds */
#include <stdio.h>

static const char *names[] = { "zero", "one", NULL };

int main(void)
{
	perror(names[2]);
	for (int i = 0; i < 3; i++)
		printf("%.*s %p\n", names[i] ? 4 : 0, names[i], (void *)names[i]);
	return 0;
}
