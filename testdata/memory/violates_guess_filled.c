// A pointer that has any value with the memory around it is compared with an address.
extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
struct { int *p; int n; } s;
int x;
int main(void)
{
	__VERIFIER_nondet_memory(&s, sizeof s);
	if (s.p == &x)
		*s.p = 9;
	if (x)
		reach_error();
	return 0;
}
