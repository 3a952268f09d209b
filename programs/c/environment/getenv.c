/* title: no environment variable is set, and the answer says so
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: no environment variable is set
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	const char *value = getenv("THREADS");
	assert(!value);
	return 0;
}
