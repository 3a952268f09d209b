/* title: a section that ends before it begins is refused
 * check: refused, the end of an atomic section that has not begun
 * explore: refused, the end of an atomic section that has not begun
 */
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int main(void)
{
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_end();
  return 0;
}
