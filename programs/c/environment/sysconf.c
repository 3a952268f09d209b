/* title: what the system is asked for has a value that is named
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: there are 4 processors, and a page has 4096 bytes
 */
#include <assert.h>
#include <unistd.h>

int main(void)
{
	assert(sysconf(_SC_NPROCESSORS_ONLN) == 4);
	assert(sysconf(_SC_PAGESIZE) == 4096);
	return 0;
}
