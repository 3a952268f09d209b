/*! expect: constant-write at 6 */

int main(void)
{
	char *word = "abc";
	word[0] = 'x';
	return 0;
}
