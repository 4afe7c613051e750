/* Several bytes from an unknown place of a long array on reach an element that is told apart. */
void *memset(void *, int, unsigned long);
int __VERIFIER_nondet_int(void);
void reach_error(void);
static char text[100];
int main(void)
{
	int i = __VERIFIER_nondet_int();
	text[5] = 1;
	if (i < 0 || i > 90)
		return 0;
	memset(text + i, 0, 8);
	if (text[5] == 0)
		reach_error();
	return 0;
}
