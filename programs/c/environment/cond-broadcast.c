/* title: a broadcast wakes both waiters
 * check: holds
 * explore: holds
 */
#define WAKE pthread_cond_broadcast
#include "cond-one-signal.c"
