/* What several files of the C++ library use: functions of the C library. */

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define ACQ_REL __ATOMIC_ACQ_REL

extern "C" {
void *memcpy(void *to, const void *from, size_type size);
void *memset(void *to, int byte, size_type size);
size_type strlen(const char *text);
int pthread_create(unsigned long *thread, const int *attributes, void *(*function)(void *), void *argument);
int get_nprocs(void);
int pthread_join(unsigned long thread, void **result);
int pthread_detach(unsigned long thread);
int pthread_mutex_lock(int *mutex);
int pthread_mutex_unlock(int *mutex);
int pthread_cond_init(int *condition, const void *attributes);
int pthread_cond_destroy(int *condition);
int pthread_cond_wait(int *condition, int *mutex);
int pthread_cond_signal(int *condition);
int pthread_cond_broadcast(int *condition);
}

inline void *operator new(size_type, void *place) noexcept { return place; }
