struct s { char c[1UL << 36]; } a, b;
int main(void) { a = b; return 0; }
