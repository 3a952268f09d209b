/*! expect: holds */
/* Structs as memory and as fields, in all orders. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char tag;
	short kind;
	int count;
	struct item *next;
	atomic_int uses;
};

static struct item global;

int main(void)
{
	struct item *a = malloc(3 * sizeof *a), *b = a + 1;
	memset(a, 0, 3 * sizeof *a);
	assert(a->tag == 0 && a->kind == 0 && a->count == 0 && a->next == NULL);
	a->tag = 1;
	a->kind = -2;
	a->count = 3;
	a->next = b;
	atomic_store(&a->uses, 4);
	memcpy(b, a, sizeof *a);
	assert(b->tag == 1 && b->kind == -2 && b->count == 3 && b->next == b && atomic_load(&b->uses) == 4);
	assert(memcmp(a, b, sizeof *a) == 0);
	b->kind = -1;
	assert(memcmp(a, b, sizeof *a) != 0);
	global = *b;
	assert(global.kind == -1 && global.next == b);
	memset(&global, 0xff, sizeof global);
	assert(global.tag == -1 && global.kind == -1 && global.count == -1 && atomic_load(&global.uses) == -1);
	memmove((char *)a + 1, a, 15);
	assert(((char *)a)[1] == 1);
	free(a);
	return 0;
}
