// magus: check --property unreach-call retry_bad.c
// want: violates
// trace: error

// retry.c with the wrong belief that nobody succeeds in the last try.

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
	assert(!done || tries < MAX_TRIES);
	return 0;
}
