#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }

int count;

void *increment(void *unused) {
    int seen = count;
    count = seen + 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, increment, 0);
    pthread_create(&second, 0, increment, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (count != 2)
        reach_error();
    return 0;
}
