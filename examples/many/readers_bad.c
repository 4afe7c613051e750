// magus: check readers_bad.c readers.spec
// want: violates
// trace: read write.begin read

// The server remembers that somebody reads, not how many do: the first reader that is
// done lets a writer in, while another one still reads.

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
			readers = 1;
			break;
		case READ_DONE:
			readers = 0;
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
