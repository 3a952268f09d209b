#include <pthread.h>

int shared;

void *work(void *unused) {
    shared = 1; // NORACE
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    shared = 2; // NORACE
    return 0;
}
