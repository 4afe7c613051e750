/* Reads triples of numbers of 128 bits, each as the low word and the high one, and writes, for each rounding mode and
   operation, the result and the flags that the machine has computed; see TestQuad. */
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static _Float128 of(const uint64_t *v) { _Float128 x; memcpy(&x, v, 16); return x; }

static long double l(const uint64_t *v)
{
	long double x = 0;
	uint64_t m = v[0] << 1 >> 1 | (uint64_t)((v[1] >> 48 & 0x7fff) != 0) << 63;
	memcpy(&x, &m, 8);
	memcpy((char *)&x + 8, (const char *)v + 14, 2);
	return x;
}

static double d(uint64_t v) { double x; memcpy(&x, &v, sizeof x); return x; }

static uint64_t flags(void)
{
	int e = fetestexcept(FE_ALL_EXCEPT);
	return (e & FE_INEXACT ? 1 : 0) | (e & FE_UNDERFLOW ? 2 : 0) | (e & FE_OVERFLOW ? 4 : 0) |
	       (e & FE_DIVBYZERO ? 8 : 0) | (e & FE_INVALID ? 16 : 0);
}

#define PUT(type, size, e) do { \
	feclearexcept(FE_ALL_EXCEPT); \
	volatile type r = (e); \
	uint64_t out[3] = { 0, 0, flags() }; \
	type copy = r; \
	memcpy(out, &copy, size); \
	fwrite(out, sizeof out, 1, stdout); \
} while (0)

int main(void)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	uint64_t v[6];
	while (fread(v, sizeof v, 1, stdin) == 1)
		for (int i = 0; i < 4; i++) {
			fesetround(FE_TONEAREST);
			volatile _Float128 a = of(v), b = of(v + 2), c = of(v + 4);
			volatile long double e = l(v);
			volatile double x = d(v[0]);
			volatile float y = x;
			volatile int64_t n = (int64_t)v[0];
			volatile uint64_t u = v[0];
			fesetround(modes[i]);
			PUT(_Float128, 16, a + b);
			PUT(_Float128, 16, a - b);
			PUT(_Float128, 16, a * b);
			PUT(_Float128, 16, a / b);
			PUT(_Float128, 16, sqrtf128(a));
			PUT(_Float128, 16, rintf128(a));
			PUT(_Float128, 16, fmodf128(a, b));
			PUT(_Float128, 16, remainderf128(a, b));
			PUT(_Float128, 16, fmaf128(a, b, c));
			PUT(long double, 10, (long double)a);
			PUT(double, 8, (double)a);
			PUT(float, 4, (float)a);
			PUT(_Float16, 2, (_Float16)a);
			PUT(_Float128, 16, (_Float128)e);
			PUT(_Float128, 16, (_Float128)x);
			PUT(_Float128, 16, (_Float128)n);
			PUT(_Float128, 16, (_Float128)u);
			PUT(int64_t, 8, (int64_t)a);
			PUT(int32_t, 4, (int32_t)a);
			PUT(uint64_t, 8, (uint64_t)a);
			PUT(int, 4, a == b);
			PUT(int, 4, a < b);
			PUT(int, 4, a <= b);
			PUT(_Float16, 2, (_Float16)x);
			PUT(_Float16, 2, (_Float16)y);
			PUT(_Float16, 2, (_Float16)e);
		}
	return 0;
}
