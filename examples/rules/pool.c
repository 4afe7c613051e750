#include "relay.h"

#include <stdlib.h>

void pool_init(struct pool *p, int most)
{
	pthread_mutex_init(&p->lock, NULL);
	p->taken = 0;
	p->most = most;
}

/* pool_take gives a message, or NULL if too many are in use or there is no memory. */
struct message *pool_take(struct pool *p)
{
	struct message *m = NULL;

	pthread_mutex_lock(&p->lock);
	if (p->taken >= p->most)
		goto out;
	m = malloc(sizeof *m);
	if (m)
		p->taken++;
out:
	pthread_mutex_unlock(&p->lock);
	return m;
}

void pool_give(struct pool *p, struct message *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&p->lock);
	p->taken--;
	pthread_mutex_unlock(&p->lock);
	free(m);
}
