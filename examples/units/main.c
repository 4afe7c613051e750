// magus: check -p . --property unreach-call
// want: conforms
// magus: check -p . -D LIMIT=2 --property unreach-call
// want: violates

// Two units with a static variable of the same name each, a variable that both see,
// and a compilation database that says how they are compiled.

#include <assert.h>
#include "queue.h"

int length;

static int calls;

int __VERIFIER_nondet_int(void);

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		calls = !calls;
		if (calls)
			put();
		else
			get();
		assert(length <= 1 && length < LIMIT - 1);
	}
	return 0;
}
