// magus: check --property unreach-call recursive.c
// want: unknown

// Valid C that is not modelled: a procedure that calls itself cannot be inlined. The
// answer is `unknown`, with the place and the reason, and never a guess. (The assertion
// does hold.)

#include <assert.h>

static int half(int n)
{
	if (n <= 1)
		return 0;
	return 1 + half(n - 2);
}

int main(void)
{
	assert(half(6) == 3);
	return 0;
}
