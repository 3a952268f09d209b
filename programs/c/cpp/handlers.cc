/* title: which handler catches what: bases, pointers, qualifiers, null pointers, one exception within another
 * check: robust
 * broken: -DBASE=Left assertion
 */
#include <cassert>
#include <exception>
#include <typeinfo>

#ifndef BASE
#define BASE Top
#endif

struct Top { int top = 1; };
struct Left : virtual Top { int left = 2; };
struct Right : virtual Top { int right = 3; };
struct Bottom : Left, Right {};
struct Hidden : private Top {};
struct One : Top {};
struct Two : Top {};
struct Twice : One, Two {};

template <class T> static int caught(T what)
{
	try {
		throw what;
	} catch (BASE &top) {
		return 1;
	} catch (Right *right) {
		return right ? right->right : 9;
	} catch (const Top *top) {
		return top ? top->top + 10 : 19;
	} catch (const char *const *text) {
		return 20;
	} catch (void *) {
		return 30;
	} catch (const void *) {
		return 40;
	} catch (long) {
		return 50;
	} catch (...) {
		return 60;
	}
}

int main()
{
	Bottom bottom;
	One one;
	Hidden hidden;
	Twice twice;
	const char *text = "text";
	char *writable = nullptr;
	assert(caught(bottom) == 1);
	assert(caught(one) == 1);
	assert(caught(hidden) == 60);
	assert(caught(twice) == 60);
	assert(caught(&bottom) == 3);
	assert(caught((Left *)&bottom) == 11);
	assert(caught((const Top *)&bottom) == 11);
	assert(caught(&twice) == 30);
	assert(caught(&text) == 20);
	assert(caught(&writable) == 20);
	assert(caught(text) == 40);
	assert(caught(writable) == 30);
	assert(caught(nullptr) == 9);
	assert(caught(1L) == 50);
	assert(caught(1) == 60);
	assert(caught(&main) == 60);

	int order = 0;
	try {
		try {
			throw 1;
		} catch (int first) {
			try {
				throw 'c';
			} catch (char) {
				order = 1;
			}
			throw;
		}
	} catch (int again) {
		order = order * 10 + again;
	}
	assert(order == 11);
}
