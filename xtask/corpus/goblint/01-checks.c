#include <assert.h> // PARAM: --set pre.cppflags[+] -DCOUNT=2
#include <pthread.h>
extern void __goblint_check(int);

int shared, guarded;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    shared = COUNT; // RACE!
    pthread_mutex_lock(&lock);
    guarded++; // NORACE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    int seen = shared; // RACE!
    assert(seen == 0); // UNKNOWN!
    assert(seen == 0); // the line before it says so
    pthread_mutex_lock(&lock);
    guarded++; // NORACE
    assert(guarded <= COUNT);
    assert(guarded == COUNT); // UNKNOWN
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
    assert(guarded == 1); // FAIL
    return 0;
}
