/*! expect: out-of-bounds at 8 */

static char bytes[16];

int main(void)
{
	int *middle = (int *)(bytes + 2);
	return *middle;
}
