/* title: bytes that nothing determines are refused
 * check: refused, a call of `__VERIFIER_nondet_memory`
 * explore: refused, a call of `__VERIFIER_nondet_memory`
 */
extern void __VERIFIER_nondet_memory(void *memory, unsigned long size);

int main(void)
{
  int x;
  __VERIFIER_nondet_memory(&x, sizeof x);
  return x;
}
