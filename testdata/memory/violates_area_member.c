/* A structure of bytes copied over an unknown element of a long array. */
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct pair { unsigned char a, b; };
static struct pair pairs[50];
int main(void)
{
	struct pair zero = { 0, 0 };
	struct pair *p = pairs;
	int i = __VERIFIER_nondet_int();
	pairs[3].b = 1;
	if (i < 0 || i >= 50)
		return 0;
	p += i;
	*p = zero;
	if (pairs[3].b == 0)
		reach_error();
	return 0;
}
