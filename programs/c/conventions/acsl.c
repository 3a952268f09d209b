/* title: assertions of ACSL in comments hold
 * check: holds
 * explore: holds
 * assumes: `loop invariant` of ACSL is ignored
 */
extern _Bool __VERIFIER_nondet_bool(void);
struct pair { int first, second[2]; };

//@ requires n >= 0;
static int count(int n)
{
  int i = 0;
  /*@ loop invariant 0 <= i;
    @*/
  while (i < n) i++;
  //@ assert i == n && n != -1;
  return i;
}

int main(void)
{
  unsigned small = 3;
  struct pair pair = {1, {2, 3}}, *p = &pair;
  int is = __VERIFIER_nondet_bool();
  /*@ assert small > -1;
    @ assert p->second[1] == small ==> pair.first == 1;
    @*/
  count(2);
  //@ assert is == 0 || !(is != 1) || \false;
  return 0;
}
