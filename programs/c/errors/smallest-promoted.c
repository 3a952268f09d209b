/*! expect: holds */
#include <assert.h>
#include <stdatomic.h>

static _Atomic signed char number = -128, divisor = -1;

int main(void)
{
	/* In an int there is room for the quotient. */
	signed char n = atomic_load(&number), d = atomic_load(&divisor);
	assert(n / d == 128 && n % d == 0);
	return 0;
}
