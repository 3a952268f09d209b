long b[1UL << 36];
int main(void) { b[5] = 1; return 0; }
