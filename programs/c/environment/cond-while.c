/* title: a waiter that looks again
 * check: holds
 * explore: holds
 * prove: proved
 */
#define WAIT while
#include "cond-if.c"
