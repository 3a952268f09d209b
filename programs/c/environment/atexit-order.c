/* title: what is registered runs at the end of main, last first
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <stdlib.h>

static int stage;

static void second(void) { assert(stage == 2); }
static void first(void)
{
	assert(stage == 1);
	stage = 2;
}
__attribute__((destructor)) static void last(void) { assert(stage == 2); }

int main(void)
{
	atexit(second);
	atexit(first);
	stage = 1;
	return 0;
}
