// magus: check link.c link.spec
// want: conforms

// One connection over the line: it says hello first, delivers data only while it
// is open, and says bye exactly once.

#include <stdlib.h>
#include <string.h>
#include "link.h"

static struct connection *connections;

static void line_send(struct connection *c, enum type type)
{
	if (type == HELLO)
		line_hello();
	else if (type == BYE)
		line_bye();
}

static int line_receive(struct connection *c, struct message *m)
{
	int type = line_byte();
	memset(m, 0, sizeof *m);
	if (type < 0)
		return -1;
	m->type = type;
	switch (type) {
	case HELLO:
		m->body.hello.version = line_byte() & 3;
		break;
	case DATA:
		m->body.data.length = 1;
		m->body.data.bytes[0] = line_byte();
		break;
	}
	return 0;
}

static const struct transport line = { .send = line_send, .receive = line_receive };

static struct connection *connect(const struct transport *t)
{
	struct connection *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->transport = t;
	c->next = connections;
	connections = c;
	t->send(c, HELLO);
	c->state = WAITING;
	return c;
}

static void put(struct connection *c, unsigned char byte)
{
	if (c->ring.head - c->ring.tail < sizeof c->ring.bytes)
		c->ring.bytes[c->ring.head++ % sizeof c->ring.bytes] = byte;
}

static void drain(struct connection *c)
{
	while (c->ring.tail != c->ring.head)
		deliver(c->ring.bytes[c->ring.tail++ % sizeof c->ring.bytes]);
}

static void handle(struct connection *c, const struct message *m)
{
	switch (m->type) {
	case HELLO:
		if (c->state == WAITING) {
			c->version = m->body.hello.version;
			c->state = OPEN;
		}
		break;
	case DATA:
		if (c->state == OPEN) {
			put(c, m->body.data.bytes[0]);
			drain(c);
		}
		break;
	case BYE:
		if (c->state != CLOSED) {
			c->transport->send(c, BYE);
			c->state = CLOSED;
		}
		break;
	}
}

void run(void)
{
	struct message m;
	struct connection *c = connect(&line);
	if (!c)
		return;
	while (c->state != CLOSED)
		if (c->transport->receive(c, &m) == 0)
			handle(c, &m);
	connections = c->next;
	free(c);
}
