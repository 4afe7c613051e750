/* A relay: messages wait in a queue, and are sent to a peer over a socket. */
#ifndef RELAY_H
#define RELAY_H

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define LONGEST 256 /* characters of a message */

struct message {
	struct message *next;
	size_t length;
	char text[LONGEST];
};

/* pool.c: messages, of which only so many are in use at a time. */
struct pool {
	pthread_mutex_t lock;
	int taken, most;
};

void pool_init(struct pool *p, int most);
struct message *pool_take(struct pool *p);
void pool_give(struct pool *p, struct message *m);

/* queue.c: messages that wait. */
struct queue {
	pthread_mutex_t lock;
	struct pool *pool;
	struct message *first, *last;
	int closed;
};

void queue_init(struct queue *q, struct pool *p);
int queue_put(struct queue *q, const char *text, size_t length);
struct message *queue_get(struct queue *q);
void queue_close(struct queue *q);

/* journal.c: a file with what was sent. */
struct journal {
	FILE *file;
	long lines;
};

int journal_open(struct journal *j, const char *name);
int journal_write(struct journal *j, const struct message *m);
void journal_close(struct journal *j);
int journal_copy(const char *from, const char *to);

/* peer.c: the connection to whom messages are sent. */
struct peer {
	int fd; /* -1: there is none */
};

int peer_connect(struct peer *p, const char *host, unsigned short port);
int peer_send(struct peer *p, const char *text, size_t length);
void peer_close(struct peer *p);

#endif
