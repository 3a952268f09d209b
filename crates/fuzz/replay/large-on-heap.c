#include <stdlib.h>
int main(void) { long *b = malloc(8 * (1UL << 36)); if (b) b[1UL << 35] = 1; free(b); return 0; }
