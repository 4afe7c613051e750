/* What looks at the bits of long doubles where these have the format of double. */

/* The greatest number. */
static long double libc_mostl(void)
{
	return 1.7976931348623157e308L;
}

/* x times 2 to the power of n, rounded once. */
static long double libc_scaledl(long double x, long n)
{
	return libc_scaled(x, n);
}

/* A number from 1/2 on, below 1, and the power of 2 to multiply it with; of 0 both are 0. */
long double frexpl(long double x, int *exponent)
{
	unsigned long long bits = __magus_bits(x);
	int e = (int)(bits >> 52 & 0x7ff);
	if (x == 0 || e == 0x7ff) {
		*exponent = x == 0 ? 0 : __magus_open_int();
		return x;
	}
	if (e == 0) {
		bits = __magus_bits(x * libc_power(52 + 2));
		e = (int)(bits >> 52 & 0x7ff) - (52 + 2);
	}
	*exponent = e - (1023 - 1);
	return __magus_number_of(bits & ~(0x7ffull << 52) | (unsigned long long)(1023 - 1) << 52);
}

/* The number that is next to x in the direction of y. */
static long double libc_nextl(long double x, long double y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __magus_copysignl(__magus_number_of(1), y);
	return __magus_number_of(x < y == x > 0 ? __magus_bits(x) + 1 : __magus_bits(x) - 1);
}

/* The exponent of x as an integer. */
static int libc_exponentl(long double x)
{
	return libc_exponent(x);
}
