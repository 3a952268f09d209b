/*! expect: out-of-bounds at 12 */
#include <stdatomic.h>

static _Atomic(int *) shared;

int main(void)
{
	int array[3], other[3];
	atomic_store(&shared, array);
	atomic_store(&shared, other);
	for (int i = 0; i <= 3; i++)
		array[i] = i;
	return 0;
}
