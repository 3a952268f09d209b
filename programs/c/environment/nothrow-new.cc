/* title: new (std::nothrow) returns a null pointer
 * arguments: all --failing-calls
 * check: out-of-bounds
 * explore: out-of-bounds
 */
#include <new>

int main()
{
	int *p = new (std::nothrow) int;
	*p = 1;
	delete p;
}
