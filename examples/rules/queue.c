#include "relay.h"

#include <errno.h>
#include <string.h>

void queue_init(struct queue *q, struct pool *p)
{
	pthread_mutex_init(&q->lock, NULL);
	q->pool = p;
	q->first = q->last = NULL;
	q->closed = 0;
}

/* queue_put lets a message wait. It gives 0, or the number of an error. */
int queue_put(struct queue *q, const char *text, size_t length)
{
	struct message *m;

	if (length > LONGEST)
		return EMSGSIZE;
	pthread_mutex_lock(&q->lock);
	if (q->closed) {
		pthread_mutex_unlock(&q->lock);
		return EPIPE;
	}
	m = pool_take(q->pool);
	if (!m)
		return ENOMEM;
	memcpy(m->text, text, length);
	m->length = length;
	m->next = NULL;
	if (q->last)
		q->last->next = m;
	else
		q->first = m;
	q->last = m;
	pthread_mutex_unlock(&q->lock);
	return 0;
}

/* queue_get takes the message that has waited longest; NULL if none waits. */
struct message *queue_get(struct queue *q)
{
	struct message *m;

	pthread_mutex_lock(&q->lock);
	m = q->first;
	if (m) {
		q->first = m->next;
		if (!q->first)
			q->last = NULL;
	}
	pthread_mutex_unlock(&q->lock);
	return m;
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = 1;
	pthread_mutex_unlock(&q->lock);
}
