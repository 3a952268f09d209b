/* title: anonymous memory is there, all 0, until it is unmapped
 * check: use-after-free
 * explore: use-after-free
 */
#include <assert.h>
#include <sys/mman.h>

int main(void)
{
	int *memory = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED && memory[2000] == 0);
	memory[0] = 1;
	munmap(memory, 8192);
	return memory[0];
}
