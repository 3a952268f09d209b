/*! expect: misuse at 15 */
#include <stddef.h>
#include <threads.h>

static int work(void *unused)
{
	return 0;
}

int main(void)
{
	thrd_t t;
	thrd_create(&t, work, NULL);
	thrd_join(t, NULL);
	thrd_detach(t);
	return 0;
}
