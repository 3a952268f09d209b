/* title: any time may have passed
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
#include <assert.h>
#include <time.h>

int main(void)
{
	time_t start = time(NULL);
	assert(time(NULL) - start < 60);
	return 0;
}
