extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* No element of a large array is greater than the greatest. */
int main(void)
{
	int a[1000], max = 0;
	for (int i = 0; i < 1000; i++)
		a[i] = __VERIFIER_nondet_int();
	for (int i = 0; i < 1000; i++)
		if (a[i] > max)
			max = a[i];
	for (int x = 0; x < 1000; x++)
		if (a[x] > max)
			reach_error();
	return 0;
}
