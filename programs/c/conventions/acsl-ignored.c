/* title: what ACSL says beyond comparisons is ignored, and told
 * check: holds
 * explore: holds
 * assumes: the assertion of ACSL in line 14 is ignored
 */
static int sum(const int *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
int main(void)
{ int a[2] = {1, 2};
  //@ assert \forall integer i; 0 <= i < 2 ==> a[i] == 0;
  if (sum(a, 2) != 3) //@ assert 1 == 2;
    return 1;
  return 0;
}
