/* Reads triples of long doubles, each as the significand and the word of sign and exponent, and writes, for each
   rounding mode and operation, the result and the flags that the machine has computed; see TestExtended. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long double of(const uint64_t *v)
{
	long double x = 0;
	memcpy(&x, v, 8);
	memcpy((char *)&x + 8, v + 1, 2);
	return x;
}

static double d(uint64_t v) { double x; memcpy(&x, &v, sizeof x); return x; }

static uint64_t flags(void)
{
	int e = fetestexcept(FE_ALL_EXCEPT);
	return (e & FE_INEXACT ? 1 : 0) | (e & FE_UNDERFLOW ? 2 : 0) | (e & FE_OVERFLOW ? 4 : 0) |
	       (e & FE_DIVBYZERO ? 8 : 0) | (e & FE_INVALID ? 16 : 0);
}

#define PUT(type, e) do { \
	feclearexcept(FE_ALL_EXCEPT); \
	volatile type r = (e); \
	uint64_t out[3] = { 0, 0, flags() }; \
	type copy = r; \
	memcpy(out, &copy, sizeof copy < 10 ? sizeof copy : 10); \
	fwrite(out, sizeof out, 1, stdout); \
} while (0)

int main(void)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	uint64_t v[6];
	while (fread(v, sizeof v, 1, stdin) == 1)
		for (int i = 0; i < 4; i++) {
			volatile long double a = of(v), b = of(v + 2), c = of(v + 4);
			volatile double x = d(v[0]);
			volatile float y = d(v[0]);
			volatile int64_t n = (int64_t)v[0];
			volatile uint64_t u = v[0];
			volatile int32_t w = (int32_t)v[0];
			fesetround(modes[i]);
			PUT(long double, a + b);
			PUT(long double, a - b);
			PUT(long double, a * b);
			PUT(long double, a / b);
			PUT(long double, sqrtl(a));
			PUT(long double, rintl(a));
			PUT(long double, fmodl(a, b));
			PUT(long double, remainderl(a, b));
			PUT(long double, fmal(a, b, c));
			PUT(double, (double)a);
			PUT(float, (float)a);
			PUT(long double, (long double)x);
			PUT(long double, (long double)n);
			PUT(long double, (long double)u);
			PUT(long double, (long double)w);
			PUT(int64_t, (int64_t)a);
			PUT(int32_t, (int32_t)a);
			PUT(uint64_t, (uint64_t)a);
			PUT(int, a == b);
			PUT(int, a < b);
			PUT(int, a <= b);
		}
	return 0;
}
