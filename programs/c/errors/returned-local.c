/*! expect: out-of-bounds at 20 */
/* The variable ends with its call. */
#include <stdatomic.h>

static _Atomic(int *) shared;

static int *local(void)
{
	int variable = 1;
	int *pointer = &variable;
	/* Other threads may get to know it, so that it is shared memory. */
	atomic_store(&shared, pointer);
	return pointer;
}

int main(void)
{
	int *pointer = local();
	atomic_store(&shared, 0);
	return *pointer;
}
