// magus: check --property unreach-call conversion.c
// want: conforms

// A time stamp in milliseconds as a floating-point number, and back: exact, since a double has 53 digits and
// the stamp 32.

#include <assert.h>

unsigned read_counter(void);

typedef double stamp;

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
