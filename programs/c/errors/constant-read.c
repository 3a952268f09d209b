/*! expect: holds */
#include <assert.h>
#include <stdatomic.h>

static const int table[3] = { 1, 2, 3 };
static _Atomic(const char *) name = "abc";

int main(void)
{
	const char *word = atomic_load(&name);
	assert(word[1] == 'b' && table[2] == 3);
	return 0;
}
