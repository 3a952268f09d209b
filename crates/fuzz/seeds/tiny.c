int x[3], y;
struct s { char c; long l; int a[2]; } z = { 1, 2, { 3, 4 } };
int add(struct s v, int n) { return v.a[1] + n; }
int main(void) {
  int n = 3;
  long l = (long)n * 7 % 5 << 2;
  for (int i = 0; i < n; i++) x[i] = i ? x[i - 1] * 2 : 1;
  __atomic_store_n(&y, x[2], __ATOMIC_RELEASE);
  if (__atomic_load_n(&y, __ATOMIC_ACQUIRE) > l) return add(z, y);
  return __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST) / (n - 2);
}
