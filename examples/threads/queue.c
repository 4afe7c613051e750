// magus: check queue.c queue.spec
// want: conforms

// A place for one message, under a mutex, with two threads that take messages out.

#include <pthread.h>

void __MAGUS_ACTION__(const char *action);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumer(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		while (!full)
			pthread_cond_wait(&changed, &lock);
		full = 0;
		__MAGUS_ACTION__("get");
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, 0, consumer, 0);
	pthread_create(&two, 0, consumer, 0);
	for (;;) {
		pthread_mutex_lock(&lock);
		while (full)
			pthread_cond_wait(&changed, &lock);
		full = 1;
		__MAGUS_ACTION__("put");
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
}
