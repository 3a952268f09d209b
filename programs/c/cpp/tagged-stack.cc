/* title: a stack whose top is a pointer with a tag, exchanged as 16 bytes
 * check: robust
 * broken: -DTAGGED=0 freed
 *
 * `slow` holds the node that it takes from being read, but not from being freed and allocated again before it compares.
 * The tag tells the new node from the old one: that is the ABA problem.
 */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifndef TAGGED
#define TAGGED 1
#endif

struct Node {
	int value;
	Node *next;
};

struct alignas(16) Top {
	Node *node;
	std::uint64_t tag;
};

static std::atomic<Top> top;
static std::atomic<bool> looked;

static void push(Node *node)
{
	Top seen = top.load(std::memory_order_relaxed);
	do {
		node->next = seen.node;
	} while (!top.compare_exchange_strong(seen, Top{node, seen.tag + TAGGED}, std::memory_order_release,
					    std::memory_order_relaxed));
}

static Node *pop(bool tells)
{
	Top seen = top.load(std::memory_order_acquire);
	if (!seen.node)
		return nullptr;
	Top next{seen.node->next, seen.tag + TAGGED};
	if (tells)
		looked.store(true); // From here on the node is only compared.
	return top.compare_exchange_strong(seen, next, std::memory_order_acquire) ? seen.node : nullptr;
}

int main()
{
	push(new Node{1, nullptr});
	push(new Node{2, nullptr});
	std::thread slow([] { pop(true); });
	std::thread fast([] {
		while (!looked.load()) {
		}
		Node *first = pop(false);
		if (!first)
			return;
		Node *second = pop(false);
		delete first;
		delete second;
		push(new Node{3, nullptr});
	});
	slow.join();
	fast.join();
	// What the stack still has was not freed.
	Node *node = top.load().node;
	if (node)
		assert(node->value > 0);
}
