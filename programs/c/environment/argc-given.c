/* title: with `--argc 1` there is no argument to read
 * arguments: all --argc 1
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: `argc` is 1
 */
#include <assert.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? argv[1][0] : 3;
  assert(argc == 1 && n == 3);
}
