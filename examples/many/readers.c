// magus: check readers.c readers.spec
// want: conforms

// Any number of readers and any number of writers. The server lets in up to three
// readers, or one writer.

#include "readers.h"

int __VERIFIER_nondet_int(void);

void reader(void)
{
	while (__VERIFIER_nondet_int()) {
		lock_read();
		do
			read_data();
		while (__VERIFIER_nondet_int());
		unlock_read();
	}
}

void writer(void)
{
	while (__VERIFIER_nondet_int()) {
		lock_write();
		begin_write();
		end_write();
		unlock_write();
	}
}

static int readers; // that are let in
static int writing; // a writer is

// next_message waits for a message that is in order now.
static int next_message(void)
{
	if (writing || readers == LIMIT)
		return accept_done();
	if (readers > 0)
		return accept_readers();
	return accept_all();
}

void server(void)
{
	while (1) {
		switch (next_message()) {
		case READ:
			readers++;
			break;
		case READ_DONE:
			readers--;
			break;
		case WRITE:
			writing = 1;
			break;
		case WRITE_DONE:
			writing = 0;
			break;
		}
	}
}
