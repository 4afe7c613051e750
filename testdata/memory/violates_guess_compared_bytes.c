// memcmp says that a guess is right.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int x;
int main(void)
{
	unsigned long g = __VERIFIER_nondet_long();
	int *p = &x;
	if (__builtin_memcmp(&g, &p, sizeof p) == 0)
		*(int *)g = 9;
	if (x)
		reach_error();
	return 0;
}
