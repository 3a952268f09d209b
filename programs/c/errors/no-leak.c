/*! expect: holds */
#include <stdlib.h>

struct node {
	struct node *next;
};

static struct node *list;

int main(void)
{
	list = malloc(sizeof *list);
	list->next = malloc(sizeof *list);
	list->next->next = NULL;
	struct node *kept = malloc(sizeof *kept);
	kept->next = list;
	list = kept;
	return 0;
}
