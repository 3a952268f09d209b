/* What all of the C library is written with. */

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define ACQ_REL __ATOMIC_ACQ_REL
#define NULL ((void *)0)
enum { EPERM_ = 1, EAGAIN_ = 11, ENOMEM_ = 12, EBUSY_ = 16, EINVAL_ = 22, EDEADLK_ = 35 };
enum { ERANGE_ = 34, ENOSYS_ = 38, EDOM_ = 33, EBADF_ = 9, ESRCH_ = 3, ETIMEDOUT_ = 110 };

/* Calls that can fail do so, if FAILING is 1, as one of two choices. */
#ifndef FAILING
#define FAILING 0
#endif
#define FAILS (FAILING && fencepost_choose(0, 1))

#ifndef PROOF
#define PROOF 0
#endif

/* Functions of one part that another one calls. */
void *malloc(size_type size);
void free(void *pointer);
void *memcpy(void *to, const void *from, size_type size);
void *memmove(void *to, const void *from, size_type size);
void *memset(void *to, int byte, size_type size);
int memcmp(const void *a, const void *b, size_type size);
size_type strlen(const char *text);
size_type strnlen(const char *text, size_type size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_type size);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_type size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_type size);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
char *strdup(const char *text);
void __fencepost_read_string(const char *text, size_type most);
