/* Reads triples of 64 bits and writes, for each rounding mode and operation, the result and the flags that the machine
   has computed; see TestGcc. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double d(uint64_t v) { double x; memcpy(&x, &v, sizeof x); return x; }
static float f(uint64_t v) { uint32_t w = v >> 32; float x; memcpy(&x, &w, sizeof x); return x; }
static uint64_t ofd(double x) { uint64_t v; memcpy(&v, &x, sizeof v); return v; }
static uint64_t off(float x) { uint32_t v; memcpy(&v, &x, sizeof v); return v; }

static uint64_t flags(void)
{
	int e = fetestexcept(FE_ALL_EXCEPT);
	return (e & FE_INEXACT ? 1 : 0) | (e & FE_UNDERFLOW ? 2 : 0) | (e & FE_OVERFLOW ? 4 : 0) |
	       (e & FE_DIVBYZERO ? 8 : 0) | (e & FE_INVALID ? 16 : 0);
}

#define PUT(of, type, e) do { \
	feclearexcept(FE_ALL_EXCEPT); \
	volatile type r = (e); \
	uint64_t out[2] = { 0, flags() }; \
	out[0] = of(r); \
	fwrite(out, sizeof out, 1, stdout); \
} while (0)

int main(void)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	uint64_t v[3];
	while (fread(v, sizeof v, 1, stdin) == 1)
		for (int i = 0; i < 4; i++) {
			volatile double a = d(v[0]), b = d(v[1]), c = d(v[2]);
			volatile float x = f(v[0]), y = f(v[1]), z = f(v[2]);
			volatile int64_t n = (int64_t)v[0];
			fesetround(modes[i]);
			PUT(ofd, double, a + b);
			PUT(ofd, double, a * b);
			PUT(ofd, double, a / b);
			PUT(ofd, double, sqrt(a));
			PUT(ofd, double, fma(a, b, c));
			PUT(ofd, double, rint(a));
			PUT(off, float, (float)a);
			PUT(off, float, x + y);
			PUT(off, float, x * y);
			PUT(off, float, x / y);
			PUT(off, float, fmaf(x, y, z));
			PUT(ofd, double, (double)n);
			PUT(off, float, (float)n);
		}
	return 0;
}
