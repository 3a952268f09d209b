#include <pthread.h>

extern void abort(void);
void reach_error(void) { abort(); }

int count;
pthread_mutex_t lock;

void *increment(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = count;
    count = seen + 1;
    pthread_mutex_unlock(&lock);
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
