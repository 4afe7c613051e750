// magus: check --property unreach-call --entry half jump.c
// want: unknown

// Valid C that is not modelled: a jump out of the procedure that is asked about, into one that calls it. The answer is
// `unknown`, with the place and the reason, and never a guess. (The assertion does hold.)

#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

int half(int n)
{
	if (n % 2)
		longjmp(back, 1);
	assert(n / 2 * 2 == n);
	return n / 2;
}

int main(void)
{
	if (setjmp(back))
		return 1;
	return half(6) - 3;
}
