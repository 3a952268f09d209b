/* Nodes of std::list, and of the red-black trees of std::map and std::set. Who shares a container between threads has a
 * race on these plain accesses, as in C++. */

namespace std {
namespace __detail {
struct _List_node_base {
  _List_node_base *next, *previous;

  static void swap(_List_node_base &a, _List_node_base &b) noexcept;
  void _M_transfer(_List_node_base *first, _List_node_base *last) noexcept;
  void _M_reverse() noexcept;
  void _M_hook(_List_node_base *before) noexcept;
  void _M_unhook() noexcept;

private:
  bool is_empty() const { return next == this; }
  /* The neighbours of a list's head are told that it is elsewhere now. */
  void moved_to(_List_node_base &head) { next->previous = previous->next = &head; }
};

void _List_node_base::_M_hook(_List_node_base *before) noexcept {
  next = before;
  previous = before->previous;
  before->previous->next = this;
  before->previous = this;
}
void _List_node_base::_M_unhook() noexcept {
  next->previous = previous;
  previous->next = next;
}
/* Puts the nodes from `first` to the one before `last` before this one. */
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept {
  if (this == last || first == last) return;
  _List_node_base *final = last->previous;
  first->previous->next = last;
  last->previous = first->previous;
  previous->next = first;
  first->previous = previous;
  final->next = this;
  previous = final;
}
void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *following = node->next;
    node->next = node->previous;
    node->previous = following;
    node = following;
  } while (node != this);
}
void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept {
  bool a_is_empty = a.is_empty(), b_is_empty = b.is_empty();
  _List_node_base nodes_of_a = a;
  a = b;
  b = nodes_of_a;
  if (b_is_empty) a.next = a.previous = &a;
  else a.moved_to(a);
  if (a_is_empty) b.next = b.previous = &b;
  else b.moved_to(b);
}
}

enum _Rb_tree_color { RED, BLACK };

/* The header of a tree has the root as its parent, and the first and the last node as its children. It is red, as the
 * root never is. */
struct _Rb_tree_node_base {
  _Rb_tree_color color;
  _Rb_tree_node_base *parent, *left, *right;
};
using Node = _Rb_tree_node_base;

/* One function does a thing for both directions. */
static Node *&child(Node *node, bool right) { return right ? node->right : node->left; }
static const Node *child(const Node *node, bool right) { return right ? node->right : node->left; }
static bool is_black(const Node *node) { return !node || node->color == BLACK; }

/* The neighbour of a node in the order of the tree. */
template <typename N> static N *neighbour(N *node, bool right) {
  if (child(node, right)) {
    N *found = child(node, right);
    while (child(found, !right)) found = child(found, !right);
    return found;
  }
  N *above = node->parent;
  while (node == child(above, right)) {
    node = above;
    above = above->parent;
  }
  /* Past the last node of a tree that is its root's only one is the header, which is above the root and under it. */
  return child(node, right) == above ? node : above;
}
Node *_Rb_tree_increment(Node *node) noexcept { return neighbour(node, true); }
const Node *_Rb_tree_increment(const Node *node) noexcept { return neighbour(node, true); }
/* Before the end is the last node. */
static bool is_header(const Node *node) {
  return node->color == RED && (!node->parent || node->parent->parent == node);
}
Node *_Rb_tree_decrement(Node *node) noexcept { return is_header(node) ? node->right : neighbour(node, false); }
const Node *_Rb_tree_decrement(const Node *node) noexcept {
  return is_header(node) ? node->right : neighbour(node, false);
}

/* Puts another node, or none, where a node is. */
static void replace(Node *node, Node *other, Node &header) {
  Node *above = node->parent;
  if (above == &header) header.parent = other;
  else child(above, above->right == node) = other;
}
/* A child of a node on one side takes its place; the node becomes its child on the other side. */
static void rotate(Node *node, bool to_right, Node &header) {
  Node *up = child(node, !to_right), *inner = child(up, to_right);
  child(node, !to_right) = inner;
  if (inner) inner->parent = node;
  replace(node, up, header);
  up->parent = node->parent;
  child(up, to_right) = node;
  node->parent = up;
}

void _Rb_tree_insert_and_rebalance(const bool insert_left, Node *node, Node *above, Node &header) noexcept {
  node->parent = above;
  node->left = node->right = nullptr;
  node->color = RED;
  if (above == &header) {
    header.parent = header.left = header.right = node;
  } else {
    child(above, !insert_left) = node;
    if (insert_left && above == header.left) header.left = node;
    if (!insert_left && above == header.right) header.right = node;
  }
  while (node != header.parent && node->parent->color == RED) {
    Node *parent = node->parent, *grandparent = parent->parent;
    bool right = parent == grandparent->right;
    Node *uncle = child(grandparent, !right);
    if (!is_black(uncle)) {
      parent->color = uncle->color = BLACK;
      grandparent->color = RED;
      node = grandparent;
      continue;
    }
    if (node == child(parent, !right)) {
      node = parent;
      rotate(node, right, header);
      parent = node->parent;
    }
    parent->color = BLACK;
    grandparent->color = RED;
    rotate(grandparent, !right, header);
  }
  header.parent->color = BLACK;
}

/* A path through `node` has one black node less than others; `above` is its parent, as it may be null. */
static void restore_black(Node *node, Node *above, Node &header) {
  while (node != header.parent && is_black(node)) {
    /* If `node` is null, its sibling is not. */
    bool right = node == above->right;
    Node *sibling = child(above, !right);
    if (!is_black(sibling)) {
      sibling->color = BLACK;
      above->color = RED;
      rotate(above, right, header);
      sibling = child(above, !right);
    }
    if (is_black(sibling->left) && is_black(sibling->right)) {
      sibling->color = RED;
      node = above;
      above = above->parent;
      continue;
    }
    if (is_black(child(sibling, !right))) {
      child(sibling, right)->color = BLACK;
      sibling->color = RED;
      rotate(sibling, !right, header);
      sibling = child(above, !right);
    }
    sibling->color = above->color;
    above->color = BLACK;
    child(sibling, !right)->color = BLACK;
    rotate(above, right, header);
    node = header.parent;
  }
  if (node) node->color = BLACK;
}

/* Takes a node out of the tree. */
Node *_Rb_tree_rebalance_for_erase(Node *const node, Node &header) noexcept {
  if (header.left == node) header.left = neighbour(node, true);
  if (header.right == node) header.right = header.left == &header ? &header : neighbour(node, false);
  Node *below, *above;
  _Rb_tree_color lost = node->color;
  if (node->left && node->right) {
    /* Its successor, which has no left child, takes its place and its colour. */
    Node *successor = node->right;
    while (successor->left) successor = successor->left;
    below = successor->right;
    lost = successor->color;
    if (successor == node->right) {
      above = successor;
    } else {
      above = successor->parent;
      above->left = below;
      if (below) below->parent = above;
      successor->right = node->right;
      node->right->parent = successor;
    }
    replace(node, successor, header);
    successor->parent = node->parent;
    successor->left = node->left;
    node->left->parent = successor;
    successor->color = node->color;
  } else {
    below = node->left ? node->left : node->right;
    above = node->parent;
    replace(node, below, header);
    if (below) below->parent = above;
  }
  if (lost == BLACK) restore_black(below, above, header);
  return node;
}

unsigned int _Rb_tree_black_count(const Node *node, const Node *root) noexcept {
  unsigned count = 0;
  for (; node; node = node == root ? nullptr : node->parent) count += node->color == BLACK;
  return count;
}
}
