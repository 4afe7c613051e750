/* Floating point. What has one result by IEEE 754 (fabs, floor, sqrt, fma, …) is known by name; of other functions the result is some number of a range, and no violation rests on which one. */

/* Some number from least to most. */
static double libc_between(double least, double most)
{
	double r = __magus_unknown_double();
	__magus_known(least <= r && r <= most);
	return r;
}

/* Some number from 0 to most, with the sign of x. */
static double libc_like(double x, double most)
{
	double r = __magus_unknown_double();
	__magus_known(x < 0 ? -most <= r && r <= 0 : 0 <= r && r <= most);
	return r;
}

/* What has no value: a NaN. */
static double libc_undefined(double x)
{
	return (x - x) / (x - x);
}

/* Some number from -1 to 1. */
double sin(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_between(-1, 1);
}

/* Some number from -1 to 1. */
double cos(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_between(-1, 1);
}

/* Some finite number. */
double tan(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some finite number");
	return libc_between(-1.7976931348623157e308, 1.7976931348623157e308);
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
double asin(double x)
{
	if (!(x >= -1 && x <= 1) || x == 0)
		return x == 0 ? x : libc_undefined(x);
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_like(x, 1.5707963267948968);
}

/* Some number from 0 to pi. */
double acos(double x)
{
	if (!(x >= -1 && x <= 1) || x == 1)
		return x == 1 ? 0 : libc_undefined(x);
	__magus_told("is some number from 0 to pi");
	return libc_between(0, 3.1415926535897936);
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
double atan(double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_like(x, 1.5707963267948968);
}

/* Some number from -pi to pi. */
double atan2(double y, double x)
{
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from -pi to pi");
	return libc_between(-3.1415926535897936, 3.1415926535897936);
}

/* Some number with the sign of x. */
double sinh(double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some number with the sign of its argument");
	return libc_like(x, (1e308 * 10));
}

/* Some number from 1 on. */
double cosh(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x * x;
	__magus_told("is some number from 1 on");
	return libc_between(1, (1e308 * 10));
}

/* Some number from -1 to 1, with the sign of x. */
double tanh(double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_like(x, 1);
}

/* Some finite number with the sign of x. */
double asinh(double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_like(x, 1.7976931348623157e308);
}

/* Some number from 0 on. */
double acosh(double x)
{
	if (!(x >= 1) || x == 1 || x == (1e308 * 10))
		return x == 1 ? 0 : x == (1e308 * 10) ? x : libc_undefined(x);
	__magus_told("is some finite number from 0 on");
	return libc_between(0, 1.7976931348623157e308);
}

/* Some number with the sign of x. */
double atanh(double x)
{
	if (!(x > -1 && x < 1) || x == 0)
		return x == 0 ? x : x == 1 || x == -1 ? x / 0 : libc_undefined(x);
	__magus_told("is some finite number with the sign of its argument");
	return libc_like(x, 1.7976931348623157e308);
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
double exp(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_between(0, 1) : libc_between(1, (1e308 * 10));
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
double exp2(double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_between(0, 1) : libc_between(1, (1e308 * 10));
}

/* Some number from -1 on, with the sign of x. */
double expm1(double x)
{
	if (x - x != 0 || x == 0)
		return x < 0 ? -1 : x;
	__magus_told("is some number from -1 on with the sign of its argument");
	return x < 0 ? libc_between(-1, 0) : libc_between(0, (1e308 * 10));
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
double log(double x)
{
	if (!(x > 0) || x == 1 || x == (1e308 * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefined(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_between(0, 710) : libc_between(-746, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
double log2(double x)
{
	if (!(x > 0) || x == 1 || x == (1e308 * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefined(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_between(0, 1024) : libc_between(-1075, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
double log10(double x)
{
	if (!(x > 0) || x == 1 || x == (1e308 * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefined(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_between(0, 309) : libc_between(-324, 0);
}

/* Some number with the sign of x. */
double log1p(double x)
{
	if (!(x > -1) || x == 0 || x == (1e308 * 10))
		return x == -1 ? -1 / ((x + 1) * (x + 1)) : x == 0 || x > 0 ? x : libc_undefined(x);
	__magus_told("is some number with the sign of its argument");
	return x > 0 ? libc_between(0, 710) : libc_between(-746, 0);
}

/* Some finite number with the sign of x. */
double cbrt(double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_like(x, 1.7976931348623157e308);
}

/* Some number, and none below 0 where x is not; 1 where it must be. */
double pow(double x, double y)
{
	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number, not below 0 where the first argument is not");
	if (x < 0 || x == 0)
		return __magus_unknown_double();
	return libc_between(0, (1e308 * 10));
}

/* Some number from 0 on. */
double hypot(double x, double y)
{
	if (x - x != 0 && x == x || y - y != 0 && y == y)
		return (1e308 * 10);
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from 0 on");
	return libc_between(0, (1e308 * 10));
}

/* Some number from -1 to 1, with the sign of x. */
double erf(double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_like(x, 1);
}

/* Some number from 0 to 2. */
double erfc(double x)
{
	if (x != x)
		return x;
	__magus_told("is some number from 0 to 2");
	return libc_between(0, 2);
}

/* Any number, which no violation rests on. */
double lgamma(double x)
{
	return __magus_unknown_double();
}

/* Any number, which no violation rests on. */
double tgamma(double x)
{
	return __magus_unknown_double();
}

/* 2 to the power of n, which is from -1022 to 1023. */
static double libc_power(int n)
{
	return __magus_number_of((unsigned long long)(n + 1023) << 52);
}

/* x times 2 to the power of n, rounded once. */
static double libc_scaled(double x, long n)
{
	if (n > 0) {
		if (n > 1023) {
			x *= libc_power(1023);
			n -= 1023;
			if (n > 1023) {
				x *= libc_power(1023);
				n -= 1023;
			}
		}
		return x * libc_power(n > 1023 ? 1023 : (int)n);
	}
	if (n < -1022) {
		x *= libc_power(-1022 + 52 + 1);
		n -= -1022 + 52 + 1;
		if (n < -1022) {
			x *= libc_power(-1022 + 52 + 1);
			n -= -1022 + 52 + 1;
		}
	}
	return x * libc_power(n < -1022 ? -1022 : (int)n);
}

/* x times 2 to the power of n. */
double ldexp(double x, int n)
{
	return libc_scaled(x, n);
}

/* x times 2 to the power of n. */
double scalbn(double x, int n)
{
	return libc_scaled(x, n);
}

/* x times 2 to the power of n. */
double scalbln(double x, long n)
{
	return libc_scaled(x, n);
}

/* A number from 1/2 on, below 1, and the power of 2 to multiply it with; of 0 both are 0. */
double frexp(double x, int *exponent)
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
	return __magus_number_of(bits & ~((unsigned long long)0x7ff << 52) | (unsigned long long)(1023 - 1) << 52);
}

/* The fraction of x, and its whole part, both with the sign of x. */
double modf(double x, double *whole)
{
	double t = __magus_trunc(x);
	*whole = t;
	return __magus_copysign(x == t ? 0 : x - t, x);
}

/* The number that is next to x in the direction of y. */
double nextafter(double x, double y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __magus_copysign(__magus_number_of(1), y);
	return __magus_number_of(x < y == x > 0 ? __magus_bits(x) + 1 : __magus_bits(x) - 1);
}

/* The exponent of x as an integer. */
static int libc_exponent(double x)
{
	int e = (int)(__magus_bits(x) >> 52 & 0x7ff);
	if (e == 0)
		e = (int)(__magus_bits(x * libc_power(52 + 2)) >> 52 & 0x7ff) - (52 + 2);
	return e - 1023;
}

/* The exponent of x. */
double logb(double x)
{
	if (x == 0)
		return -1 / (x * x);
	if (x - x != 0)
		return x * x;
	return libc_exponent(x);
}

/* The exponent of x; of 0, infinities and NaNs what common libraries give. */
int ilogb(double x)
{
	if (x == 0 || x != x)
		return -2147483647 - 1;
	if (x - x != 0)
		return 2147483647;
	return libc_exponent(x);
}

/* Some number from least to most. */
static float libc_betweenf(float least, float most)
{
	float r = __magus_unknown_float();
	__magus_known(least <= r && r <= most);
	return r;
}

/* Some number from 0 to most, with the sign of x. */
static float libc_likef(float x, float most)
{
	float r = __magus_unknown_float();
	__magus_known(x < 0 ? -most <= r && r <= 0 : 0 <= r && r <= most);
	return r;
}

/* What has no value: a NaN. */
static float libc_undefinedf(float x)
{
	return (x - x) / (x - x);
}

/* Some number from -1 to 1. */
float sinf(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_betweenf(-1, 1);
}

/* Some number from -1 to 1. */
float cosf(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_betweenf(-1, 1);
}

/* Some finite number. */
float tanf(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some finite number");
	return libc_betweenf(-3.4028234e38f, 3.4028234e38f);
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
float asinf(float x)
{
	if (!(x >= -1 && x <= 1) || x == 0)
		return x == 0 ? x : libc_undefinedf(x);
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_likef(x, 1.5707965f);
}

/* Some number from 0 to pi. */
float acosf(float x)
{
	if (!(x >= -1 && x <= 1) || x == 1)
		return x == 1 ? 0 : libc_undefinedf(x);
	__magus_told("is some number from 0 to pi");
	return libc_betweenf(0, 3.1415930f);
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
float atanf(float x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_likef(x, 1.5707965f);
}

/* Some number from -pi to pi. */
float atan2f(float y, float x)
{
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from -pi to pi");
	return libc_betweenf(-3.1415930f, 3.1415930f);
}

/* Some number with the sign of x. */
float sinhf(float x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some number with the sign of its argument");
	return libc_likef(x, (1e38f * 10));
}

/* Some number from 1 on. */
float coshf(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x * x;
	__magus_told("is some number from 1 on");
	return libc_betweenf(1, (1e38f * 10));
}

/* Some number from -1 to 1, with the sign of x. */
float tanhf(float x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_likef(x, 1);
}

/* Some finite number with the sign of x. */
float asinhf(float x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_likef(x, 3.4028234e38f);
}

/* Some number from 0 on. */
float acoshf(float x)
{
	if (!(x >= 1) || x == 1 || x == (1e38f * 10))
		return x == 1 ? 0 : x == (1e38f * 10) ? x : libc_undefinedf(x);
	__magus_told("is some finite number from 0 on");
	return libc_betweenf(0, 3.4028234e38f);
}

/* Some number with the sign of x. */
float atanhf(float x)
{
	if (!(x > -1 && x < 1) || x == 0)
		return x == 0 ? x : x == 1 || x == -1 ? x / 0 : libc_undefinedf(x);
	__magus_told("is some finite number with the sign of its argument");
	return libc_likef(x, 3.4028234e38f);
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
float expf(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_betweenf(0, 1) : libc_betweenf(1, (1e38f * 10));
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
float exp2f(float x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_betweenf(0, 1) : libc_betweenf(1, (1e38f * 10));
}

/* Some number from -1 on, with the sign of x. */
float expm1f(float x)
{
	if (x - x != 0 || x == 0)
		return x < 0 ? -1 : x;
	__magus_told("is some number from -1 on with the sign of its argument");
	return x < 0 ? libc_betweenf(-1, 0) : libc_betweenf(0, (1e38f * 10));
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
float logf(float x)
{
	if (!(x > 0) || x == 1 || x == (1e38f * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedf(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenf(0, 710) : libc_betweenf(-746, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
float log2f(float x)
{
	if (!(x > 0) || x == 1 || x == (1e38f * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedf(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenf(0, 1024) : libc_betweenf(-1075, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
float log10f(float x)
{
	if (!(x > 0) || x == 1 || x == (1e38f * 10))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedf(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenf(0, 309) : libc_betweenf(-324, 0);
}

/* Some number with the sign of x. */
float log1pf(float x)
{
	if (!(x > -1) || x == 0 || x == (1e38f * 10))
		return x == -1 ? -1 / ((x + 1) * (x + 1)) : x == 0 || x > 0 ? x : libc_undefinedf(x);
	__magus_told("is some number with the sign of its argument");
	return x > 0 ? libc_betweenf(0, 710) : libc_betweenf(-746, 0);
}

/* Some finite number with the sign of x. */
float cbrtf(float x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_likef(x, 3.4028234e38f);
}

/* Some number, and none below 0 where x is not; 1 where it must be. */
float powf(float x, float y)
{
	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number, not below 0 where the first argument is not");
	if (x < 0 || x == 0)
		return __magus_unknown_float();
	return libc_betweenf(0, (1e38f * 10));
}

/* Some number from 0 on. */
float hypotf(float x, float y)
{
	if (x - x != 0 && x == x || y - y != 0 && y == y)
		return (1e38f * 10);
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from 0 on");
	return libc_betweenf(0, (1e38f * 10));
}

/* Some number from -1 to 1, with the sign of x. */
float erff(float x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_likef(x, 1);
}

/* Some number from 0 to 2. */
float erfcf(float x)
{
	if (x != x)
		return x;
	__magus_told("is some number from 0 to 2");
	return libc_betweenf(0, 2);
}

/* Any number, which no violation rests on. */
float lgammaf(float x)
{
	return __magus_unknown_float();
}

/* Any number, which no violation rests on. */
float tgammaf(float x)
{
	return __magus_unknown_float();
}

/* 2 to the power of n, which is from -126 to 127. */
static float libc_powerf(int n)
{
	return __magus_number_off((unsigned int)(n + 127) << 23);
}

/* x times 2 to the power of n, rounded once. */
static float libc_scaledf(float x, long n)
{
	if (n > 0) {
		if (n > 127) {
			x *= libc_powerf(127);
			n -= 127;
			if (n > 127) {
				x *= libc_powerf(127);
				n -= 127;
			}
		}
		return x * libc_powerf(n > 127 ? 127 : (int)n);
	}
	if (n < -126) {
		x *= libc_powerf(-126 + 23 + 1);
		n -= -126 + 23 + 1;
		if (n < -126) {
			x *= libc_powerf(-126 + 23 + 1);
			n -= -126 + 23 + 1;
		}
	}
	return x * libc_powerf(n < -126 ? -126 : (int)n);
}

/* x times 2 to the power of n. */
float ldexpf(float x, int n)
{
	return libc_scaledf(x, n);
}

/* x times 2 to the power of n. */
float scalbnf(float x, int n)
{
	return libc_scaledf(x, n);
}

/* x times 2 to the power of n. */
float scalblnf(float x, long n)
{
	return libc_scaledf(x, n);
}

/* A number from 1/2 on, below 1, and the power of 2 to multiply it with; of 0 both are 0. */
float frexpf(float x, int *exponent)
{
	unsigned int bits = __magus_bitsf(x);
	int e = (int)(bits >> 23 & 0xff);
	if (x == 0 || e == 0xff) {
		*exponent = x == 0 ? 0 : __magus_open_int();
		return x;
	}
	if (e == 0) {
		bits = __magus_bitsf(x * libc_powerf(23 + 2));
		e = (int)(bits >> 23 & 0xff) - (23 + 2);
	}
	*exponent = e - (127 - 1);
	return __magus_number_off(bits & ~((unsigned int)0xff << 23) | (unsigned int)(127 - 1) << 23);
}

/* The fraction of x, and its whole part, both with the sign of x. */
float modff(float x, float *whole)
{
	float t = __magus_truncf(x);
	*whole = t;
	return __magus_copysignf(x == t ? 0 : x - t, x);
}

/* The number that is next to x in the direction of y. */
float nextafterf(float x, float y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __magus_copysignf(__magus_number_off(1), y);
	return __magus_number_off(x < y == x > 0 ? __magus_bitsf(x) + 1 : __magus_bitsf(x) - 1);
}

/* The exponent of x as an integer. */
static int libc_exponentf(float x)
{
	int e = (int)(__magus_bitsf(x) >> 23 & 0xff);
	if (e == 0)
		e = (int)(__magus_bitsf(x * libc_powerf(23 + 2)) >> 23 & 0xff) - (23 + 2);
	return e - 127;
}

/* The exponent of x. */
float logbf(float x)
{
	if (x == 0)
		return -1 / (x * x);
	if (x - x != 0)
		return x * x;
	return libc_exponentf(x);
}

/* The exponent of x; of 0, infinities and NaNs what common libraries give. */
int ilogbf(float x)
{
	if (x == 0 || x != x)
		return -2147483647 - 1;
	if (x - x != 0)
		return 2147483647;
	return libc_exponentf(x);
}

/* The greatest number. */
static long double libc_mostl(void)
{
	return 1.18973149535723176502e4932L;
}

/* 2 to the power of n, which is from -16382 to 16383. */
static long double libc_powerl(int n)
{
	libc_words u;
	u.word.significand = 1ull << 63;
	u.word.exponent = (unsigned short)(n + 16383);
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
		x = libc_powerl(-16382 + 63 + 1) * x;
		n -= -16382 + 63 + 1;
		if (n < -16382) {
			x = libc_powerl(-16382 + 63 + 1) * x;
			n -= -16382 + 63 + 1;
		}
	}
	return libc_powerl(n < -16382 ? -16382 : (int)n) * x;
}

/* x times 2 to the power of n. */
long double ldexpl(long double x, int n)
{
	return libc_scaledl(x, n);
}

/* x times 2 to the power of n. */
long double scalbnl(long double x, int n)
{
	return libc_scaledl(x, n);
}

/* x times 2 to the power of n. */
long double scalblnl(long double x, long n)
{
	return libc_scaledl(x, n);
}

/* A number from 1/2 on, below 1, and the power of 2 to multiply it with; of 0 both are 0. */
long double frexpl(long double x, int *exponent)
{
	libc_words u;
	int extra = 0;
	if (x == 0 || x - x != 0) {
		*exponent = x == 0 ? 0 : __magus_open_int();
		return x;
	}
	u.number = x;
	if ((u.word.exponent & 0x7fff) == 0) {
		extra = 63 + 2;
		u.number = libc_powerl(63 + 2) * x;
	}
	*exponent = (int)(u.word.exponent & 0x7fff) - extra - (16383 - 1);
	u.word.exponent = (unsigned short)(u.word.exponent & 0x8000 | 16383 - 1);
	return u.number;
}

/* The fraction of x, and its whole part, both with the sign of x. */
long double modfl(long double x, long double *whole)
{
	long double t = __magus_truncl(x);
	*whole = t;
	return __magus_copysignl(x == t ? 0 : x - t, x);
}

/* The number that is next to x in the direction of y. */
static long double libc_nextl(long double x, long double y)
{
	libc_words u;
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	u.number = x;
	if (x == 0) {
		u.word.significand = 1;
		u.word.exponent = 0;
		return __magus_copysignl(u.number, y);
	}
	if (x < y == x > 0) {
		u.word.significand++;
		if (u.word.significand == 0) {
			u.word.significand = 1ull << 63;
			u.word.exponent++;
		} else if ((u.word.exponent & 0x7fff) == 0 && u.word.significand >> 63)
			u.word.exponent++;
		return u.number;
	}
	u.word.significand--;
	if ((u.word.exponent & 0x7fff) != 0 && !(u.word.significand >> 63)) {
		u.word.exponent--;
		if ((u.word.exponent & 0x7fff) != 0)
			u.word.significand = ~0ull;
	}
	return u.number;
}

/* The number that is next to x in the direction of y. */
long double nextafterl(long double x, long double y)
{
	return libc_nextl(x, y);
}

/* The exponent of x as an integer. */
static int libc_exponentl(long double x)
{
	libc_words u;
	u.number = x;
	if ((u.word.exponent & 0x7fff) == 0) {
		u.number = libc_powerl(63 + 2) * x;
		return (int)(u.word.exponent & 0x7fff) - (63 + 2) - 16383;
	}
	return (int)(u.word.exponent & 0x7fff) - 16383;
}

/* The exponent of x. */
long double logbl(long double x)
{
	if (x == 0)
		return -1 / (x * x);
	if (x - x != 0)
		return x * x;
	return libc_exponentl(x);
}

/* The exponent of x; of 0, infinities and NaNs what common libraries give. */
int ilogbl(long double x)
{
	if (x == 0 || x != x)
		return -2147483647 - 1;
	if (x - x != 0)
		return 2147483647;
	return libc_exponentl(x);
}

/* Some number from least to most. */
static long double libc_betweenl(long double least, long double most)
{
	long double r = __magus_unknown_long_double();
	__magus_known(least <= r && r <= most);
	return r;
}

/* Some number from 0 to most, with the sign of x. */
static long double libc_likel(long double x, long double most)
{
	long double r = __magus_unknown_long_double();
	__magus_known(x < 0 ? -most <= r && r <= 0 : 0 <= r && r <= most);
	return r;
}

/* What has no value: a NaN. */
static long double libc_undefinedl(long double x)
{
	return (x - x) / (x - x);
}

/* Some number below most, with the sign of x. */
static long double libc_belowl(long double x, long double most)
{
	long double r = __magus_unknown_long_double();
	__magus_known(x < 0 ? -most < r && r <= 0 : 0 <= r && r < most);
	return r;
}

/* Some number from -1 to 1. */
long double sinl(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_betweenl(-1, 1);
}

/* Some number from -1 to 1. */
long double cosl(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x - x;
	__magus_told("is some number from -1 to 1");
	return libc_betweenl(-1, 1);
}

/* Some finite number. */
long double tanl(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? x : x - x;
	__magus_told("is some finite number");
	return libc_betweenl(-libc_mostl(), libc_mostl());
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
long double asinl(long double x)
{
	if (!(x >= -1 && x <= 1) || x == 0)
		return x == 0 ? x : libc_undefinedl(x);
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_likel(x, 1.5707963267948968L);
}

/* Some number from 0 to pi. */
long double acosl(long double x)
{
	if (!(x >= -1 && x <= 1) || x == 1)
		return x == 1 ? 0 : libc_undefinedl(x);
	__magus_told("is some number from 0 to pi");
	return libc_betweenl(0, 3.1415926535897936L);
}

/* Some number from -pi/2 to pi/2, with the sign of x. */
long double atanl(long double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -pi/2 to pi/2");
	return libc_likel(x, 1.5707963267948968L);
}

/* Some number from -pi to pi. */
long double atan2l(long double y, long double x)
{
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from -pi to pi");
	return libc_betweenl(-3.1415926535897936L, 3.1415926535897936L);
}

/* Some number with the sign of x. */
long double sinhl(long double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some number with the sign of its argument");
	return libc_likel(x, (1e4931L * 1000));
}

/* Some number from 1 on. */
long double coshl(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x * x;
	__magus_told("is some number from 1 on");
	return libc_betweenl(1, (1e4931L * 1000));
}

/* Some number from -1 to 1, with the sign of x. */
long double tanhl(long double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_likel(x, 1);
}

/* Some finite number with the sign of x. */
long double asinhl(long double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_likel(x, libc_mostl());
}

/* Some number from 0 on. */
long double acoshl(long double x)
{
	if (!(x >= 1) || x == 1 || x == (1e4931L * 1000))
		return x == 1 ? 0 : x == (1e4931L * 1000) ? x : libc_undefinedl(x);
	__magus_told("is some finite number from 0 on");
	return libc_betweenl(0, libc_mostl());
}

/* Some number with the sign of x. */
long double atanhl(long double x)
{
	if (!(x > -1 && x < 1) || x == 0)
		return x == 0 ? x : x == 1 || x == -1 ? x / 0 : libc_undefinedl(x);
	__magus_told("is some finite number with the sign of its argument");
	return libc_likel(x, libc_mostl());
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
long double expl(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_betweenl(0, 1) : libc_betweenl(1, (1e4931L * 1000));
}

/* Some number from 0 to 1 of a negative number, and from 1 on of a positive one. */
long double exp2l(long double x)
{
	if (x - x != 0 || x == 0)
		return x == 0 ? 1 : x < 0 ? 0 : x;
	__magus_told("is some number from 0 to 1 of a negative number, and from 1 on of a positive one");
	return x < 0 ? libc_betweenl(0, 1) : libc_betweenl(1, (1e4931L * 1000));
}

/* Some number from -1 on, with the sign of x. */
long double expm1l(long double x)
{
	if (x - x != 0 || x == 0)
		return x < 0 ? -1 : x;
	__magus_told("is some number from -1 on with the sign of its argument");
	return x < 0 ? libc_betweenl(-1, 0) : libc_betweenl(0, (1e4931L * 1000));
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
long double logl(long double x)
{
	if (!(x > 0) || x == 1 || x == (1e4931L * 1000))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedl(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenl(0, 11357) : libc_betweenl(-11434, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
long double log2l(long double x)
{
	if (!(x > 0) || x == 1 || x == (1e4931L * 1000))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedl(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenl(0, 16384) : libc_betweenl(-16495, 0);
}

/* Some number from 0 on of what is above 1, and up to 0 of what is below. */
long double log10l(long double x)
{
	if (!(x > 0) || x == 1 || x == (1e4931L * 1000))
		return x == 0 ? -1 / (x * x) : x == 1 ? 0 : x > 1 ? x : libc_undefinedl(x);
	__magus_told("is some number from 0 on of what is above 1, and up to 0 of what is below");
	return x > 1 ? libc_betweenl(0, 4933) : libc_betweenl(-4966, 0);
}

/* Some number with the sign of x. */
long double log1pl(long double x)
{
	if (!(x > -1) || x == 0 || x == (1e4931L * 1000))
		return x == -1 ? -1 / ((x + 1) * (x + 1)) : x == 0 || x > 0 ? x : libc_undefinedl(x);
	__magus_told("is some number with the sign of its argument");
	return x > 0 ? libc_betweenl(0, 11357) : libc_betweenl(-11434, 0);
}

/* Some finite number with the sign of x. */
long double cbrtl(long double x)
{
	if (x - x != 0 || x == 0)
		return x;
	__magus_told("is some finite number with the sign of its argument");
	return libc_likel(x, libc_mostl());
}

/* Some number, and none below 0 where x is not; 1 where it must be. */
long double powl(long double x, long double y)
{
	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number, not below 0 where the first argument is not");
	if (x < 0 || x == 0)
		return __magus_unknown_long_double();
	return libc_betweenl(0, (1e4931L * 1000));
}

/* Some number from 0 on. */
long double hypotl(long double x, long double y)
{
	if (x - x != 0 && x == x || y - y != 0 && y == y)
		return (1e4931L * 1000);
	if (x != x || y != y)
		return x + y;
	__magus_told("is some number from 0 on");
	return libc_betweenl(0, (1e4931L * 1000));
}

/* Some number from -1 to 1, with the sign of x. */
long double erfl(long double x)
{
	if (x != x || x == 0)
		return x;
	__magus_told("is some number from -1 to 1");
	return libc_likel(x, 1);
}

/* Some number from 0 to 2. */
long double erfcl(long double x)
{
	if (x != x)
		return x;
	__magus_told("is some number from 0 to 2");
	return libc_betweenl(0, 2);
}

/* Any number, which no violation rests on. */
long double lgammal(long double x)
{
	return __magus_unknown_long_double();
}

/* Any number, which no violation rests on. */
long double tgammal(long double x)
{
	return __magus_unknown_long_double();
}

/* What is left of x, with its sign and below y; exact where that is x itself. */
long double fmodl(long double x, long double y)
{
	long double a = x < 0 ? -x : x, b = y < 0 ? -y : y;
	if (x != x || y != y)
		return x + y;
	if (x - x != 0 || y == 0)
		return libc_undefinedl(x);
	if (a < b)
		return x;
	__magus_told("is some number below its second argument, with the sign of the first");
	return libc_belowl(x, b);
}

/* What x is away from a multiple of y: at most half of that. */
long double remainderl(long double x, long double y)
{
	long double b = y < 0 ? -y : y;
	if (x != x || y != y)
		return x + y;
	if (x - x != 0 || y == 0)
		return libc_undefinedl(x);
	__magus_told("is some number, at most half of its second argument");
	return libc_betweenl(-b / 2, b / 2);
}

/* What x is away from a multiple of y, which is told by its last bits: any number where it is beyond 7. */
double remquo(double x, double y, int *quotient)
{
	double rest = __magus_remainder(x, y), n = (x - rest) / y;
	if (n > -7.5 && n < 7.5)
		*quotient = (int)(n < 0 ? n - 0.5 : n + 0.5);
	else
		*quotient = __magus_unknown_int();
	return rest;
}

/* What x is away from a multiple of y, which is told by its last bits: any number where it is beyond 7. */
float remquof(float x, float y, int *quotient)
{
	float rest = __magus_remainderf(x, y), n = (x - rest) / y;
	if (n > -7.5f && n < 7.5f)
		*quotient = (int)(n < 0 ? n - 0.5f : n + 0.5f);
	else
		*quotient = __magus_unknown_int();
	return rest;
}

/* The next number of the type from x on towards y. */
double nexttoward(double x, long double y)
{
	if (x != x || y != y)
		return x + (double)y;
	if (x == y)
		return (double)y;
	if (x == 0)
		return y < 0 ? -__magus_number_of(1) : __magus_number_of(1);
	return __magus_number_of(x < y == x > 0 ? __magus_bits(x) + 1 : __magus_bits(x) - 1);
}

/* The next number of the type from x on towards y. */
float nexttowardf(float x, long double y)
{
	if (x != x || y != y)
		return x + (float)y;
	if (x == y)
		return (float)y;
	if (x == 0)
		return y < 0 ? -__magus_number_off(1) : __magus_number_off(1);
	return __magus_number_off(x < y == x > 0 ? __magus_bitsf(x) + 1 : __magus_bitsf(x) - 1);
}

/* The number that is next to x in the direction of y. */
long double nexttowardl(long double x, long double y)
{
	return libc_nextl(x, y);
}
