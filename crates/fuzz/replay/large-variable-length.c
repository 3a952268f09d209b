int main(void) { long n = 1L << 40; char b[n]; b[5] = 1; return 0; }
