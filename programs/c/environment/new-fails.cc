/* title: new throws an exception, which nothing catches
 * arguments: all --failing-calls
 * check: assertion
 * explore: assertion
 */
#include <vector>

int main()
{
	std::vector<int> all;
	all.push_back(1);
}
