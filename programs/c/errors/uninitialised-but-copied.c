/*! expect: holds */
#include <stdlib.h>
#include <string.h>

struct pair {
	int first, second;
};

struct flags {
	unsigned a : 3, b : 5;
};

int main(void)
{
	struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q), *r = malloc(sizeof *r);
	p->first = 1;
	*q = *p;
	memcpy(r, q, sizeof *r);
	int value = r->first;
	/* Storing one field keeps the bits around it. */
	struct flags *f = malloc(sizeof *f);
	f->a = 2;
	value += f->a;
	free(p);
	free(q);
	free(r);
	free(f);
	return value != 3;
}
