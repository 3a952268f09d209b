/* Binary trees are built, walked and freed: mostly malloc and free. */
#include "bench.h"

struct tree {
  struct tree *left, *right;
};

static atomic_long sum;

static struct tree *build(int depth) {
  struct tree *tree = malloc(sizeof *tree);
  tree->left = depth ? build(depth - 1) : NULL;
  tree->right = depth ? build(depth - 1) : NULL;
  return tree;
}

static long size(const struct tree *tree) { return tree ? 1 + size(tree->left) + size(tree->right) : 0; }

static void destroy(struct tree *tree) {
  if (tree) {
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
  }
}

static void *work(void *unused) {
  for (int i = 0; i < 20; i++) {
    struct tree *tree = build(12);
    fetch_add(sum, size(tree), rlx);
    destroy(tree);
  }
  return NULL;
}

int main(void) {
  parallel(work);
  printf("%ld\n", sum);
}
