// magus: check --property unreach-call pairs.c pairs.spec
// want: conforms

// Two loops whose number of turns nothing bounds. Without the predicate of pairs.spec
// each refuted path asks the loop for one turn more, and with --engine loop a check of
// pairs.c alone does not come to an end.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
	int x = 0;
	int y = 0;

	while (__VERIFIER_nondet_int()) {
		x++;
		y++;
	}
	while (x > 0) {
		x--;
		y--;
	}
	if (y > 0)
		reach_error();
	return 0;
}
