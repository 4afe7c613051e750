#include <pthread.h>
#include <unistd.h>

int kept(pthread_mutex_t *m, int *tries)
{
	pthread_mutex_lock(m);
	int n = ++*tries;
	pthread_mutex_unlock(m);
	sleep(1);
	return n;
}

int broken(pthread_mutex_t *m, int *tries)
{
	pthread_mutex_lock(m);
	int n = ++*tries;
	sleep(1); // broken
	pthread_mutex_unlock(m);
	return n;
}
