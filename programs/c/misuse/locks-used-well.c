/*! expect: holds */
#include <pthread.h>
#include <stdlib.h>

struct shared {
	pthread_mutex_t lock, again;
	pthread_rwlock_t data;
	pthread_cond_t changed;
	int users, value;
};

static void leave(struct shared *s)
{
	pthread_mutex_lock(&s->lock);
	int users = --s->users;
	pthread_mutex_unlock(&s->lock);
	if (users > 0)
		return;
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->again);
	pthread_rwlock_destroy(&s->data);
	pthread_cond_destroy(&s->changed);
	free(s);
}

static void *reader(void *argument)
{
	struct shared *s = argument;
	pthread_mutex_lock(&s->lock);
	while (s->value == 0)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
	pthread_rwlock_rdlock(&s->data);
	pthread_rwlock_unlock(&s->data);
	leave(s);
	return NULL;
}

static void local(void)
{
	pthread_mutex_t lock;
	pthread_mutex_init(&lock, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t;
	struct shared *s = malloc(sizeof *s);
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->again, &recursive);
	pthread_rwlock_init(&s->data, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->users = 2;
	s->value = 0;
	pthread_create(&t, NULL, reader, s);
	pthread_rwlock_wrlock(&s->data);
	pthread_rwlock_unlock(&s->data);
	pthread_mutex_lock(&s->again);
	pthread_mutex_lock(&s->again);
	pthread_mutex_unlock(&s->again);
	pthread_mutex_unlock(&s->again);
	pthread_mutex_lock(&s->lock);
	s->value = 1;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	local();
	local();
	leave(s);
	pthread_join(t, NULL);
	return 0;
}
