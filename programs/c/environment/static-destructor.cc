/* title: the destructor of a static object runs while a thread still uses it
 * check: data-race
 * explore: data-race
 */
#include <thread>

struct Log {
	int lines = 0;
	~Log() { lines = -1; }
};
static Log log_file;

int main()
{
	std::thread([] { log_file.lines++; }).detach();
}
