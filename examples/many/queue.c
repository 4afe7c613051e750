// magus: check queue.c queue.spec
// want: conforms

// Any number of producers and consumers, one manager, one queue.

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

// queue counts the jobs that wait and those that are worked at.
void queue(void)
{
	int waiting = 0;
	int running = 0;

	while (1) {
		int puts = waiting < CAPACITY;
		int takes = waiting > 0 && running < CREW;
		int flushes = waiting == 0 && running == 0;

		switch (accept(puts, takes, flushes)) {
		case PUT:
			waiting++;
			break;
		case TAKE:
			waiting--;
			running++;
			break;
		case DONE:
			running--;
			break;
		}
	}
}
