/* title: a loop without end that touches no shared memory, for the time that an instruction takes */
static unsigned step(unsigned hash, unsigned value)
{
	return (hash ^ value) * 16777619u;
}

int main(void)
{
	unsigned table[64], hash = 2166136261u;
	for (int i = 0; i < 64; i++)
		table[i] = i * i;
	for (unsigned long round = 0;; round++) {
		for (int i = 0; i < 64; i++) {
			hash = step(hash, table[i]);
			table[i] += hash & 7;
			if (hash % 3 == 0)
				hash += (unsigned)round;
		}
	}
}
