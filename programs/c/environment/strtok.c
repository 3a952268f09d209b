/* title: strtok has one place for all threads
 * check: data-race
 * explore: data-race
 */
#include <pthread.h>
#include <string.h>

static char lines[2][8] = { "a b", "c d" };

static void *worker(void *line)
{
	for (char *word = strtok(line, " "); word; word = strtok(0, " ")) {}
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, worker, lines[0]);
	worker(lines[1]);
	pthread_join(thread, 0);
	return 0;
}
