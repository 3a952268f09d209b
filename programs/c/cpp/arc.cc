/* title: a reference count; who drops the last reference must have seen what others did with theirs
 * check: robust
 * broken: -DDROP=std::memory_order_relaxed freed
 */
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

#ifndef DROP
#define DROP std::memory_order_release
#endif

template <class T> class Arc {
	struct Inner { std::atomic<int> count; T value; };
	Inner *inner;
public:
	explicit Arc(T v) : inner(new Inner{{1}, std::move(v)}) {}
	Arc(const Arc &o) : inner(o.inner) { inner->count.fetch_add(1, std::memory_order_relaxed); }
	~Arc()
	{
		if (inner->count.fetch_sub(1, DROP) == 1) {
			std::atomic_thread_fence(std::memory_order_acquire);
			delete inner;
		}
	}
	const T &operator*() const { return inner->value; }
};

int main()
{
	std::thread *t;
	{
		Arc<int> a(7);
		t = new std::thread([b = a] { assert(*b == 7); });
		assert(*a == 7);
	}
	t->join();
	delete t;
}
