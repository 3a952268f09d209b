/* title: dynamic_cast and typeid
 * check: robust
 * broken: -DBROKEN assertion
 */
#include <cassert>
#include <typeinfo>


struct Base { virtual ~Base() {} int base = 1; };
struct Other { virtual ~Other() {} int other = 2; };
struct Both : Base, Other { int both = 3; };
struct Last : Both {};
struct Private : private Base { Base *as_base() { return this; } };
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Diamond : Left, Right {};
struct First : Base {};
struct Second : Base {};
struct Twice : First, Second {};

int main()
{
	Last last;
	Base *base = &last;
	assert(dynamic_cast<Both *>(base)->both == 3);
	assert(dynamic_cast<Other *>(base)->other == 2);
	assert(dynamic_cast<Last *>(dynamic_cast<Other *>(base)) == &last);
	assert(dynamic_cast<void *>(dynamic_cast<Other *>(base)) == &last);
	assert(!dynamic_cast<Diamond *>(base));
	assert(typeid(*base) == typeid(Last) && typeid(*base) != typeid(Both));

	Private hidden;
	assert(!dynamic_cast<Private *>(hidden.as_base()));
	Diamond diamond;
	base = &diamond;
	assert(dynamic_cast<Right *>(base) == static_cast<Right *>(&diamond));
	assert(dynamic_cast<Left *>(dynamic_cast<Right *>(base)) == static_cast<Left *>(&diamond));
	Twice twice;
	base = static_cast<First *>(&twice);
	assert(dynamic_cast<Second *>(base) == static_cast<Second *>(&twice));
	assert(dynamic_cast<Twice *>(base) == &twice);
	int failed = 0;
	try {
		dynamic_cast<Both &>(*base).both = 4;
	} catch (std::bad_cast &) {
		failed++;
	}
	try {
		base = nullptr;
		failed += typeid(*base) == typeid(Base);
	} catch (std::bad_typeid &) {
		failed++;
	}
#ifdef BROKEN
	failed++;
#endif
	assert(failed == 2);
}
