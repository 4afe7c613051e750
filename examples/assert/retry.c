// magus: check --property unreach-call retry.c
// want: conforms

// Without any specification file: the property unreach-call says that the action
// `error` never happens, which is what a failing assert() performs. The check starts at
// main; __VERIFIER_nondet_int() may return any value.

#include <assert.h>

int __VERIFIER_nondet_int(void);

enum { MAX_TRIES = 3 };

int main(void)
{
	int tries = 0;
	int done = 0;

	while (!done && tries < MAX_TRIES) {
		tries++;
		if (__VERIFIER_nondet_int() > 0)
			done = 1;
	}
	assert(done || tries == MAX_TRIES);
	assert(tries >= 1);
	return 0;
}
