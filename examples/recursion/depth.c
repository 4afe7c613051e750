// magus: check depth.c depth.spec
// want: conforms

// Recursion of any depth: with an abstraction of its own, the inner calls are calls of
// that, and the claim about the body is shown for all depths at once.

void enter(void);
void leave(void);

int visit(int n)
{
	int below;

	enter();
	leave();
	if (n <= 0)
		return 0;
	below = visit(n - 1);
	return below < 7 ? below + 1 : below;
}
