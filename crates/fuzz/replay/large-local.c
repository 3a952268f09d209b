int main(void) { long b[1UL << 36]; b[5] = 1; return b[5] - 1; }
