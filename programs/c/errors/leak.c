/*! expect: leak at 17 */
#include <stdlib.h>

struct node {
	struct node *next;
};

static struct node *list;

int main(void)
{
	/* Reachable in the end, so that these two are not lost. */
	list = malloc(sizeof *list);
	list->next = malloc(sizeof *list);
	list->next->next = NULL;
	/* Nobody knows this one any more. */
	struct node *lost = malloc(sizeof *lost);
	lost->next = list;
	return 0;
}
