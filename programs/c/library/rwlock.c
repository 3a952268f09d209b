/* title: pthread_rwlock_t: a writer is alone, readers are not
 * expect: rc11 holds, 34 complete, 51 blocked
 * broken: -DREAD_LOCKED_WRITER race
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *writer(void *unused)
{
#ifdef READ_LOCKED_WRITER
	pthread_rwlock_rdlock(&lock);
#else
	pthread_rwlock_wrlock(&lock);
#endif
	low = 1; /* race */
	high = 1; /* race */
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	assert(low == high); /* race */
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_create(&threads[2], NULL, reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
