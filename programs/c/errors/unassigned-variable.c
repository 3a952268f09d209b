/*! expect: uninitialised-read at 9 */
#include <stdatomic.h>

static atomic_int flag;

static int sum(int count)
{
	int total;
	total += count;
	return total;
}

int main(void)
{
	return sum(atomic_load(&flag));
}
