#include <pthread.h>

struct queue { pthread_mutex_t lock; int length; };

int kept(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	int empty = q->length == 0;
	if (!empty)
		q->length--;
	pthread_mutex_unlock(&q->lock);
	return empty;
}

int broken(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	if (q->length == 0)
		return 1; // broken
	q->length--;
	pthread_mutex_unlock(&q->lock);
	return 0;
}
