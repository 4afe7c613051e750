// magus: check queue_if.c queue.spec
// want: violates

// The same, but one who waits for a message does not look again when it is woken: the other one may have taken it.

#include <pthread.h>

void __MAGUS_ACTION__(const char *action);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumer(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (!full)
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
