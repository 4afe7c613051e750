// magus: check parity.c parity.spec
// want: conforms

// Two procedures that call each other, as deep as the argument says: recursion is followed
// until that is reached. Each takes the lock that the other left.

void take(void);
void leave(void);

static int odd(int n);

static int even(int n)
{
	int r;

	take();
	if (n == 0) {
		leave();
		return 1;
	}
	leave();
	r = odd(n - 1);
	return r;
}

static int odd(int n)
{
	int r;

	take();
	leave();
	if (n == 0)
		return 0;
	r = even(n - 1);
	return r;
}

int run(int n)
{
	if (n < 0 || n > 3)
		return -1;
	return even(n);
}
