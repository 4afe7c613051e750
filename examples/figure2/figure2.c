// magus: check figure2.c figure2.spec
// want: conforms
// magus: check figure2.c forgets.spec
// want: violates

// The running example of the MAGIC paper (figure 2). `x` is never assigned, so
// it may hold any value and both branches of the first `if` can be taken; `y`
// is 8, so of each inner `if` only the first branch can. A verifier that keeps
// no data sees four possible returns (0, 1, 2, 3); one that keeps the two
// predicates y < 10 and y > 5 sees the two that are real.

void do_a(void);
void do_b(void);

int proc(void)
{
	int x, y = 8;

	if (x == 0) {
		do_a();
		if (y < 10)
			return 0;
		else
			return 1;
	} else {
		do_b();
		if (y > 5)
			return 2;
		else
			return 3;
	}
}
