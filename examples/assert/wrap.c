// magus: check --property unreach-call wrap.c
// want: violates
// trace: error

// Arithmetic is that of C, bit by bit: an unsigned char that is incremented 255 times
// is 255, and once more it is 0. A mathematical integer would not be.

#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	unsigned char old = __VERIFIER_nondet_uchar();
	unsigned char new = old;

	new++;
	assert(new > old);
	return 0;
}
