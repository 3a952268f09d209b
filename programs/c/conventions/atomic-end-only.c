/* title: a program that ends a section and begins none is refused
 * check: refused, the end of an atomic section that has not begun
 * explore: refused, the end of an atomic section that has not begun
 */
extern void __VERIFIER_atomic_end(void);

int main(void)
{
  __VERIFIER_atomic_end();
  return 0;
}
