#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *reader(void *unused) {
    (void)atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, reader, 0);
    atomic_store(&x, 1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
