/*! expect: division-overflow at 10 */
#include <limits.h>
#include <stdatomic.h>

static atomic_int number = INT_MIN, divisor = -1;

int main(void)
{
	int n = atomic_load(&number), d = atomic_load(&divisor);
	return n % d;
}
