/* What looks at the bits of long doubles where these are quad, binary128 of IEEE 754. */

/* The greatest number. */
static long double libc_mostl(void)
{
	return 1.18973149535723176508575932662800702e4932L;
}

/* 2 to the power of n, which is from -16382 to 16383. */
static long double libc_powerl(int n)
{
	libc_quad u;
	u.word.low = 0;
	u.word.high = (unsigned long long)(n + 16383) << 48;
	return u.number;
}

/* x times 2 to the power of n, rounded once. */
static long double libc_scaledl(long double x, long n)
{
	if (n > 0) {
		if (n > 16383) {
			x = libc_powerl(16383) * x;
			n -= 16383;
			if (n > 16383) {
				x = libc_powerl(16383) * x;
				n -= 16383;
			}
		}
		return libc_powerl(n > 16383 ? 16383 : (int)n) * x;
	}
	if (n < -16382) {
		x = libc_powerl(-16382 + 112 + 1) * x;
		n -= -16382 + 112 + 1;
		if (n < -16382) {
			x = libc_powerl(-16382 + 112 + 1) * x;
			n -= -16382 + 112 + 1;
		}
	}
	return libc_powerl(n < -16382 ? -16382 : (int)n) * x;
}

/* A number from 1/2 on, below 1, and the power of 2 to multiply it with; of 0 both are 0. */
long double frexpl(long double x, int *exponent)
{
	libc_quad u;
	int extra = 0;
	if (x == 0 || x - x != 0) {
		*exponent = x == 0 ? 0 : __magus_open_int();
		return x;
	}
	u.number = x;
	if ((u.word.high >> 48 & 0x7fff) == 0) {
		extra = 112 + 2;
		u.number = libc_powerl(112 + 2) * x;
	}
	*exponent = (int)(u.word.high >> 48 & 0x7fff) - extra - (16383 - 1);
	u.word.high = u.word.high & ~(0x7fffull << 48) | (unsigned long long)(16383 - 1) << 48;
	return u.number;
}

/* The number that is next to x in the direction of y. */
static long double libc_nextl(long double x, long double y)
{
	libc_quad u;
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	u.number = x;
	if (x == 0) {
		u.word.low = 1;
		u.word.high = 0;
		return __magus_copysignl(u.number, y);
	}
	if (x < y == x > 0) {
		u.word.low++;
		if (u.word.low == 0)
			u.word.high++;
		return u.number;
	}
	if (u.word.low == 0)
		u.word.high--;
	u.word.low--;
	return u.number;
}

/* The exponent of x as an integer. */
static int libc_exponentl(long double x)
{
	libc_quad u;
	u.number = x;
	if ((u.word.high >> 48 & 0x7fff) == 0) {
		u.number = libc_powerl(112 + 2) * x;
		return (int)(u.word.high >> 48 & 0x7fff) - (112 + 2) - 16383;
	}
	return (int)(u.word.high >> 48 & 0x7fff) - 16383;
}
