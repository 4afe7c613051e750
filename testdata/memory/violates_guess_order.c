// The order of a guessed address and of an object's leaves one value.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int x;
int main(void)
{
	char *g = (char *)__VERIFIER_nondet_long();
	if (g >= (char *)&x && g <= (char *)&x)
		*(int *)g = 9;
	if (x)
		reach_error();
	return 0;
}
