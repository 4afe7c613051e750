// magus: check table.c table.spec
// want: conforms

// Any number of clients and a server that has a table of three slots.

#include "table.h"

int __VERIFIER_nondet_int(void);

// client opens sessions, one after the other, and closes each.
void client(void)
{
	while (__VERIFIER_nondet_int()) {
		int slot = open_session();
		int left = __VERIFIER_nondet_int();

		if (slot == FULL)
			continue;
		while (left > 0) {
			use_session(slot);
			left--;
		}
		close_session(slot);
	}
}

static int busy[SLOTS];

// find_free returns the first slot that is free, or FULL.
static int find_free(void)
{
	int slot;

	for (slot = 0; slot < SLOTS; slot++)
		if (!busy[slot])
			return slot;
	return FULL;
}

// server answers one request after the other. That a slot which is not given is
// closed is ignored.
void server(void)
{
	while (1) {
		int request = next_request();

		if (request == OPEN) {
			int slot = find_free();

			if (slot == FULL) {
				refuse();
			} else {
				busy[slot] = 1;
				give(slot);
			}
		} else if (busy[request]) {
			busy[request] = 0;
			note_free(request);
		}
	}
}
