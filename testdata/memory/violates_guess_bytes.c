// A pointer that is put together from any bytes is compared with an address.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
int x;
int main(void)
{
	char b[sizeof(int *)];
	int *g;
	for (unsigned i = 0; i < sizeof b; i++)
		b[i] = __VERIFIER_nondet_char();
	__builtin_memcpy(&g, b, sizeof g);
	if (g == &x)
		*g = 9;
	if (x)
		reach_error();
	return 0;
}
