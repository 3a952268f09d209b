/* title: a loop that waits for a time ends, or goes on while time does not: that is no deadlock
 * check: holds
 * explore: holds
 */
#include <assert.h>
#include <time.h>

int main(void)
{
	time_t end = time(NULL) + 5;
	int rounds = 0;
	while (time(NULL) < end)
		rounds = 1;
	assert(rounds <= 1);
	return 0;
}
