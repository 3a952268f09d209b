/*! expect: out-of-bounds at 12 */
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

int main(void)
{
	struct node *node = NULL;
	node->next = node;
	return 0;
}
