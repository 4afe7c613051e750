// magus: check --property unreach-call conversion_bad.c
// want: violates

// The stamps of conversion.c as floats, which have 24 digits: from 16777217 ms on, which is less than 5 hours, some come
// back as others.

#include <assert.h>

unsigned read_counter(void);

typedef float stamp;

static stamp pack(unsigned ms)
{
	return (stamp)ms;
}

static unsigned unpack(stamp s)
{
	return (unsigned)s;
}

int main(void)
{
	unsigned ms = read_counter();

	assert(unpack(pack(ms)) == ms);
	return 0;
}
