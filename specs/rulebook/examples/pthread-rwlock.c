#include <pthread.h>

int kept(pthread_rwlock_t *lock, int *value)
{
	pthread_rwlock_rdlock(lock);
	int v = *value;
	pthread_rwlock_unlock(lock);
	return v;
}

int broken(pthread_rwlock_t *lock, int *value)
{
	pthread_rwlock_rdlock(lock);
	if (*value == 0) {
		pthread_rwlock_wrlock(lock); // broken
		*value = 1;
	}
	pthread_rwlock_unlock(lock);
	return 0;
}
