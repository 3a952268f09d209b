/* title: all values are tried of what has few
 * check: holds
 * explore: holds
 */
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
  _Bool is = __VERIFIER_nondet_bool();
  unsigned char byte = __VERIFIER_nondet_uchar();
  assert(byte <= 255 && (is == 0 || is == 1));
  return 0;
}
