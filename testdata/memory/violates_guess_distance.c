// The distance of a guessed address from an object is 0.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int x;
int main(void)
{
	char *g = (char *)__VERIFIER_nondet_long();
	if (g - (char *)&x == 0)
		*(int *)g = 9;
	if (x)
		reach_error();
	return 0;
}
