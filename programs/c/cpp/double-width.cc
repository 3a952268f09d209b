/* title: a list that is published with its length, exchanged as 16 bytes
 * check: robust
 * broken: -DPUBLISH=std::memory_order_relaxed race
 * broken: -DTAKE=std::memory_order_relaxed race
 */
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifndef PUBLISH
#define PUBLISH std::memory_order_release
#endif
#ifndef TAKE
#define TAKE std::memory_order_acquire
#endif

struct Node {
	int value;
	Node *next;
};

struct alignas(16) List {
	Node *first;
	std::size_t length;
};

static std::atomic<List> list{List{nullptr, 0}};

static void add(Node *node)
{
	List seen = list.load(std::memory_order_relaxed);
	do {
		node->next = seen.first;
	} while (!list.compare_exchange_strong(seen, {node, seen.length + 1}, PUBLISH, std::memory_order_relaxed));
}

int main()
{
	static Node nodes[2];
	std::thread writer([] {
		nodes[0].value = 1;
		add(&nodes[0]);
		nodes[1].value = 2;
		add(&nodes[1]);
	});
	List taken = list.exchange({nullptr, 0}, TAKE);
	std::size_t length = 0;
	for (Node *node = taken.first; node; node = node->next) {
		assert(node->value == static_cast<int>(taken.length - length));
		length++;
	}
	assert(length == taken.length);
	writer.join();
	List rest = list;
	assert(length + rest.length == 2);
}
