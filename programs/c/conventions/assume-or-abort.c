/* title: what is not assumed is no error, whatever the code of the function does
 * check: holds
 * explore: holds
 * prove: proved
 */
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error() { }
void assume_abort_if_not(int holds) { if (!holds) abort(); }
void __VERIFIER_assume(int holds) { while (!holds) {} }

int main(void)
{
  int left = __VERIFIER_nondet_bool(), right = __VERIFIER_nondet_bool();
  assume_abort_if_not(left);
  __VERIFIER_assume(right);
  if (!left) reach_error();
  if (!right) reach_error();
  return 0;
}
