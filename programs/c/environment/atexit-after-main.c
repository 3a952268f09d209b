/* title: after pthread_exit in main, the last thread ends the program
 * check: refused, `pthread_exit` in `main` of a program that runs functions at its end
 * explore: refused, `pthread_exit` in `main` of a program that runs functions at its end
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void last(void) { assert(0); }

int main(void)
{
	atexit(last);
	pthread_exit(0);
}
