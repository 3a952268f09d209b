/*! expect: uninitialised-read at 9 */

int main(void)
{
	for (int i = 0; i < 2; i++) {
		int new_in_each_round;
		if (i == 0)
			new_in_each_round = 1;
		if (new_in_each_round != 1)
			return 1;
	}
	return 0;
}
