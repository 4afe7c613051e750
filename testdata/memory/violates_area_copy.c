/* The same by memcpy, through a pointer that walks backwards. */
void *memcpy(void *, const void *, unsigned long);
int __VERIFIER_nondet_int(void);
void reach_error(void);
static unsigned char text[64], zeros[8];
int main(void)
{
	unsigned char *p = text + 56;
	int i = __VERIFIER_nondet_int();
	text[7] = 9;
	if (i < 0 || i > 56)
		return 0;
	p -= i;
	memcpy(p, zeros, 8);
	if (text[7] == 0)
		reach_error();
	return 0;
}
