/*! expect: out-of-bounds at 5 */
int main(void)
{
	int *p = (int *)0x123456;
	*p = 1;
	return 0;
}
