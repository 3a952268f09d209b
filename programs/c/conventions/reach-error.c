/* title: where there is an error function, to reach it is the error and abort is an end
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error() { }
void __VERIFIER_assert(int holds)
{
  if (!holds) {
    ERROR: { reach_error(); abort(); }
  }
}

int main(void)
{
  __VERIFIER_assert(__VERIFIER_nondet_bool());
  return 0;
}
