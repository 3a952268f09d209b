/*! check: robust
 *
 * A struct is cleared as a whole, filled field by field, copied as a whole, and read field by field in another thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct message {
	uint8_t kind;
	uint16_t length;
	uint32_t sum;
	uint64_t payload;
};

static struct message slot;
static atomic_int full;

static void *sender(void *unused)
{
	(void)unused;
	struct message message;
	memset(&message, 0, sizeof message);
	message.kind = 7;
	message.length = 300;
	message.payload = 0x0102030405060708;
	memcpy(&slot, &message, sizeof slot);
	atomic_store_explicit(&full, 1, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, sender, 0);
	while (!atomic_load_explicit(&full, memory_order_acquire))
		;
	assert(slot.kind == 7 && slot.length == 300 && slot.sum == 0);
	assert(slot.payload == 0x0102030405060708);
	pthread_join(thread, 0);
	return 0;
}
