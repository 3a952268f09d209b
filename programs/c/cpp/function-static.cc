/* title: a static of a function, initialised once
 * check: robust
 * broken: -DBY_HAND race
 */
#include <cassert>
#include <thread>

struct Table {
	int number;
	Table() : number(3) {}
	~Table() { number = 0; }
};

static Table &table()
{
#ifdef BY_HAND
	static bool made;
	static int number;
	if (!made) {
		number = 3;
		made = true;
	}
	static_assert(sizeof(Table) == sizeof(int));
	return reinterpret_cast<Table &>(number);
#else
	static Table table;
	return table;
#endif
}

int main()
{
	std::thread other([] { assert(table().number == 3); });
	assert(table().number == 3);
	other.join();
}
