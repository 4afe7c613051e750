// magus: check --property unreach-call jump.c
// want: unknown

// Valid C that is not modelled: a jump out of one procedure into another. The answer is
// `unknown`, with the place and the reason, and never a guess. (The assertion does hold.)

#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static int half(int n)
{
	if (n % 2)
		longjmp(back, 1);
	return n / 2;
}

int main(void)
{
	if (setjmp(back))
		return 1;
	assert(half(6) == 3);
	return 0;
}
