/* title: std::shared_ptr that two threads hold
 * check: robust
 * broken: -DWRITES race
 * broken: -DBORROWED freed
 */
#include <cassert>
#include <memory>
#include <thread>

int main()
{
	auto number = std::make_shared<int>(3);
#ifdef BORROWED
	int *mine = number.get();
#else
	auto mine = number;
#endif
	std::thread reader([mine] { assert(*mine == 3); });
#ifdef WRITES
	*number = 4;
#endif
	number.reset();
	reader.join();
}
