struct s { char c[1UL << 27]; } a;
static void f(struct s x) { a.c[3] = x.c[3]; }
int main(void) { f(a); return 0; }
