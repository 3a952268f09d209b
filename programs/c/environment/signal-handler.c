/* title: signals may be ignored; a handler is refused
 * check: refused, a signal handler
 * explore: refused, a signal handler
 */
#include <signal.h>

static void handle(int number) {}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, handle);
	return 0;
}
