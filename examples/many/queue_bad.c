// magus: check --specification flushed queue_bad.c queue.spec
// want: violates
// trace: put put work flush work
// magus: check --specification bounded queue_bad.c queue.spec
// want: conforms

// The queue knows whether somebody works, not how many do: the first consumer that is
// done lets the manager believe that all is.

#include "queue.h"

int __VERIFIER_nondet_int(void);

void producer(void)
{
	while (__VERIFIER_nondet_int())
		put();
}

void consumer(void)
{
	while (1) {
		take();
		do
			work();
		while (__VERIFIER_nondet_int());
		done();
	}
}

void manager(void)
{
	while (__VERIFIER_nondet_int())
		flush();
}

// queue counts the jobs that wait and notes that somebody works.
void queue(void)
{
	int waiting = 0;
	int running = 0; // somebody works

	while (1) {
		int puts = waiting < CAPACITY;
		int takes = waiting > 0;
		int flushes = waiting == 0 && running == 0;

		switch (accept(puts, takes, flushes)) {
		case PUT:
			waiting++;
			break;
		case TAKE:
			waiting--;
			running = 1;
			break;
		case DONE:
			running = 0;
			break;
		}
	}
}
