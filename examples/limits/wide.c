// magus: check --property unreach-call wide.c
// want: unknown

// Valid C that is not modelled: numbers of 128 bits. The answer is `unknown`, with the place
// and the reason, and never a guess. (The assertion does hold.)

#include <assert.h>

static long high(long a, long b)
{
	__int128 product = (__int128)a * b;
	return product >> 64;
}

int main(void)
{
	assert(high(1L << 40, 1L << 40) == 1L << 16);
	return 0;
}
