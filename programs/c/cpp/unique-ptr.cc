/* title: a std::unique_ptr that is handed over
 * check: robust
 * broken: -DAFTERWARDS race
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Message {
	int text = 0;
};

static std::atomic<Message *> box;

int main()
{
	std::thread receiver([] {
		std::unique_ptr<Message> message(box.exchange(nullptr, std::memory_order_acquire));
		if (message) assert(message->text == 3);
	});
	auto message = std::make_unique<Message>();
	message->text = 3;
#ifdef AFTERWARDS
	Message *known = message.get();
#endif
	box.store(message.release(), std::memory_order_release);
#ifdef AFTERWARDS
	known->text = 4;
#endif
	receiver.join();
	delete box.load();
}
