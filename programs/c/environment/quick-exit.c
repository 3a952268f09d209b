/* title: quick_exit runs what at_quick_exit registered, and nothing else; _exit runs nothing
 * check: holds
 * explore: holds
 * prove: proved
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int stage;

static void never(void) { assert(0); }
static void quick(void)
{
	assert(stage == 1);
	at_quick_exit(never);
	_exit(0);
}

int main(void)
{
	atexit(never);
	at_quick_exit(never);
	at_quick_exit(quick);
	stage = 1;
	quick_exit(0);
}
