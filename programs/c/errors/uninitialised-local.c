/*! expect: uninitialised-read at 10 */
#include <stdatomic.h>

static _Atomic(int *) shared;

int main(void)
{
	int variable;
	atomic_store(&shared, &variable);
	return variable;
}
