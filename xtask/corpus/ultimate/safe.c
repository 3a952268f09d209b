//#Safe
#include <pthread.h>
#include <assert.h>

int x;

void *work(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    assert(x == 0 || x == 1);
    return 0;
}
