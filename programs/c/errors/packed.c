/*! expect: holds */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct __attribute__((packed)) packed {
	char a;
	int b;
	long c;
};
/* The unit of a bit field starts at any byte. */
struct fields {
	char a;
	int b : 20;
	int c : 5;
	unsigned long d : 40;
};
static struct packed packed;
static struct fields fields;

static void *writer(void *unused)
{
	packed.b = -5;
	packed.c = 1L << 40;
	fields.b = -3;
	fields.d = 1UL << 39;
	return NULL;
}

int main(void)
{
	pthread_t t;
	fields.c = 7;
	packed.a = 1;
	pthread_create(&t, NULL, writer, NULL);
	pthread_join(t, NULL);
	struct packed copy = packed;
	assert(packed.a == 1 && packed.b == -5 && packed.c == 1L << 40);
	assert(fields.b == -3 && fields.c == 7 && fields.d == 1UL << 39);
	assert(memcmp(&copy, &packed, sizeof copy) == 0);
	return 0;
}
