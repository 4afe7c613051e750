#ifndef __MAGUS_MATH_H
#define __MAGUS_MATH_H
#if __FLT_EVAL_METHOD__ == 2
typedef long double float_t;
typedef long double double_t;
#else
typedef float float_t;
typedef double double_t;
#endif
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647-1)
#define FP_ILOGBNAN (-2147483647-1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
/* What a number is like: known by name, for any type of floating point. */
extern int __magus_fpclassify();
extern int __magus_isfinite();
extern int __magus_isinf();
extern int __magus_isnan();
extern int __magus_isnormal();
extern int __magus_signbit();
extern int __magus_isunordered();
#define fpclassify(x) __magus_fpclassify(x)
#define isfinite(x) __magus_isfinite(x)
#define isinf(x) __magus_isinf(x)
#define isnan(x) __magus_isnan(x)
#define isnormal(x) __magus_isnormal(x)
#define signbit(x) __magus_signbit(x)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) ((x) < (y) || (x) > (y))
#define isunordered(x, y) __magus_isunordered(x, y)
extern int signgam;
extern double acos(double __x);
extern double asin(double __x);
extern double atan(double __x);
extern double cos(double __x);
extern double sin(double __x);
extern double tan(double __x);
extern double acosh(double __x);
extern double asinh(double __x);
extern double atanh(double __x);
extern double cosh(double __x);
extern double sinh(double __x);
extern double tanh(double __x);
extern double exp(double __x);
extern double exp2(double __x);
extern double expm1(double __x);
extern double log(double __x);
extern double log10(double __x);
extern double log1p(double __x);
extern double log2(double __x);
extern double logb(double __x);
extern double cbrt(double __x);
extern double fabs(double __x);
extern double sqrt(double __x);
extern double erf(double __x);
extern double erfc(double __x);
extern double lgamma(double __x);
extern double tgamma(double __x);
extern double ceil(double __x);
extern double floor(double __x);
extern double nearbyint(double __x);
extern double rint(double __x);
extern double round(double __x);
extern double trunc(double __x);
extern double atan2(double __x, double __y);
extern double pow(double __x, double __y);
extern double hypot(double __x, double __y);
extern double fmod(double __x, double __y);
extern double remainder(double __x, double __y);
extern double copysign(double __x, double __y);
extern double nextafter(double __x, double __y);
extern double fdim(double __x, double __y);
extern double fmax(double __x, double __y);
extern double fmin(double __x, double __y);
extern double frexp(double __x, int *__exp);
extern double ldexp(double __x, int __exp);
extern double scalbn(double __x, int __n);
extern double scalbln(double __x, long __n);
extern double modf(double __x, double *__whole);
extern int ilogb(double __x);
extern long lrint(double __x);
extern long lround(double __x);
extern long long llrint(double __x);
extern long long llround(double __x);
extern double remquo(double __x, double __y, int *__quo);
extern double nan(const char *__tag);
extern double nexttoward(double __x, long double __y);
extern double fma(double __x, double __y, double __z);
extern float acosf(float __x);
extern float asinf(float __x);
extern float atanf(float __x);
extern float cosf(float __x);
extern float sinf(float __x);
extern float tanf(float __x);
extern float acoshf(float __x);
extern float asinhf(float __x);
extern float atanhf(float __x);
extern float coshf(float __x);
extern float sinhf(float __x);
extern float tanhf(float __x);
extern float expf(float __x);
extern float exp2f(float __x);
extern float expm1f(float __x);
extern float logf(float __x);
extern float log10f(float __x);
extern float log1pf(float __x);
extern float log2f(float __x);
extern float logbf(float __x);
extern float cbrtf(float __x);
extern float fabsf(float __x);
extern float sqrtf(float __x);
extern float erff(float __x);
extern float erfcf(float __x);
extern float lgammaf(float __x);
extern float tgammaf(float __x);
extern float ceilf(float __x);
extern float floorf(float __x);
extern float nearbyintf(float __x);
extern float rintf(float __x);
extern float roundf(float __x);
extern float truncf(float __x);
extern float atan2f(float __x, float __y);
extern float powf(float __x, float __y);
extern float hypotf(float __x, float __y);
extern float fmodf(float __x, float __y);
extern float remainderf(float __x, float __y);
extern float copysignf(float __x, float __y);
extern float nextafterf(float __x, float __y);
extern float fdimf(float __x, float __y);
extern float fmaxf(float __x, float __y);
extern float fminf(float __x, float __y);
extern float frexpf(float __x, int *__exp);
extern float ldexpf(float __x, int __exp);
extern float scalbnf(float __x, int __n);
extern float scalblnf(float __x, long __n);
extern float modff(float __x, float *__whole);
extern int ilogbf(float __x);
extern long lrintf(float __x);
extern long lroundf(float __x);
extern long long llrintf(float __x);
extern long long llroundf(float __x);
extern float remquof(float __x, float __y, int *__quo);
extern float nanf(const char *__tag);
extern float nexttowardf(float __x, long double __y);
extern float fmaf(float __x, float __y, float __z);
extern long double acosl(long double __x);
extern long double asinl(long double __x);
extern long double atanl(long double __x);
extern long double cosl(long double __x);
extern long double sinl(long double __x);
extern long double tanl(long double __x);
extern long double acoshl(long double __x);
extern long double asinhl(long double __x);
extern long double atanhl(long double __x);
extern long double coshl(long double __x);
extern long double sinhl(long double __x);
extern long double tanhl(long double __x);
extern long double expl(long double __x);
extern long double exp2l(long double __x);
extern long double expm1l(long double __x);
extern long double logl(long double __x);
extern long double log10l(long double __x);
extern long double log1pl(long double __x);
extern long double log2l(long double __x);
extern long double logbl(long double __x);
extern long double cbrtl(long double __x);
extern long double fabsl(long double __x);
extern long double sqrtl(long double __x);
extern long double erfl(long double __x);
extern long double erfcl(long double __x);
extern long double lgammal(long double __x);
extern long double tgammal(long double __x);
extern long double ceill(long double __x);
extern long double floorl(long double __x);
extern long double nearbyintl(long double __x);
extern long double rintl(long double __x);
extern long double roundl(long double __x);
extern long double truncl(long double __x);
extern long double atan2l(long double __x, long double __y);
extern long double powl(long double __x, long double __y);
extern long double hypotl(long double __x, long double __y);
extern long double fmodl(long double __x, long double __y);
extern long double remainderl(long double __x, long double __y);
extern long double copysignl(long double __x, long double __y);
extern long double nextafterl(long double __x, long double __y);
extern long double fdiml(long double __x, long double __y);
extern long double fmaxl(long double __x, long double __y);
extern long double fminl(long double __x, long double __y);
extern long double frexpl(long double __x, int *__exp);
extern long double ldexpl(long double __x, int __exp);
extern long double scalbnl(long double __x, int __n);
extern long double scalblnl(long double __x, long __n);
extern long double modfl(long double __x, long double *__whole);
extern int ilogbl(long double __x);
extern long lrintl(long double __x);
extern long lroundl(long double __x);
extern long long llrintl(long double __x);
extern long long llroundl(long double __x);
extern long double remquol(long double __x, long double __y, int *__quo);
extern long double nanl(const char *__tag);
extern long double nexttowardl(long double __x, long double __y);
extern long double fmal(long double __x, long double __y, long double __z);
extern double j0(double __x);
extern double j1(double __x);
extern double jn(int __n, double __x);
extern double y0(double __x);
extern double y1(double __x);
extern double yn(int __n, double __x);
#if defined _GNU_SOURCE || defined __STDC_WANT_IEC_60559_TYPES_EXT__
extern _Float128 acosf128(_Float128 __x);
extern _Float128 asinf128(_Float128 __x);
extern _Float128 atanf128(_Float128 __x);
extern _Float128 cosf128(_Float128 __x);
extern _Float128 sinf128(_Float128 __x);
extern _Float128 tanf128(_Float128 __x);
extern _Float128 acoshf128(_Float128 __x);
extern _Float128 asinhf128(_Float128 __x);
extern _Float128 atanhf128(_Float128 __x);
extern _Float128 coshf128(_Float128 __x);
extern _Float128 sinhf128(_Float128 __x);
extern _Float128 tanhf128(_Float128 __x);
extern _Float128 expf128(_Float128 __x);
extern _Float128 exp2f128(_Float128 __x);
extern _Float128 expm1f128(_Float128 __x);
extern _Float128 logf128(_Float128 __x);
extern _Float128 log10f128(_Float128 __x);
extern _Float128 log2f128(_Float128 __x);
extern _Float128 log1pf128(_Float128 __x);
extern _Float128 cbrtf128(_Float128 __x);
extern _Float128 erff128(_Float128 __x);
extern _Float128 erfcf128(_Float128 __x);
extern _Float128 lgammaf128(_Float128 __x);
extern _Float128 tgammaf128(_Float128 __x);
extern _Float128 logbf128(_Float128 __x);
extern _Float128 atan2f128(_Float128 __x, _Float128 __y);
extern _Float128 powf128(_Float128 __x, _Float128 __y);
extern _Float128 hypotf128(_Float128 __x, _Float128 __y);
extern _Float128 nextafterf128(_Float128 __x, _Float128 __y);
extern _Float128 ldexpf128(_Float128 __x, int __exp);
extern _Float128 scalbnf128(_Float128 __x, int __n);
extern _Float128 scalblnf128(_Float128 __x, long __n);
extern _Float128 frexpf128(_Float128 __x, int *__exp);
extern _Float128 modff128(_Float128 __x, _Float128 *__whole);
extern _Float128 remquof128(_Float128 __x, _Float128 __y, int *__quo);
extern _Float128 nanf128(const char *__tag);
extern int ilogbf128(_Float128 __x);
extern _Float128 ceilf128(_Float128 __x);
extern _Float128 floorf128(_Float128 __x);
extern _Float128 truncf128(_Float128 __x);
extern _Float128 roundf128(_Float128 __x);
extern _Float128 roundevenf128(_Float128 __x);
extern _Float128 rintf128(_Float128 __x);
extern _Float128 nearbyintf128(_Float128 __x);
extern _Float128 fabsf128(_Float128 __x);
extern _Float128 sqrtf128(_Float128 __x);
extern _Float128 copysignf128(_Float128 __x, _Float128 __y);
extern _Float128 fminf128(_Float128 __x, _Float128 __y);
extern _Float128 fmaxf128(_Float128 __x, _Float128 __y);
extern _Float128 fdimf128(_Float128 __x, _Float128 __y);
extern _Float128 fmodf128(_Float128 __x, _Float128 __y);
extern _Float128 remainderf128(_Float128 __x, _Float128 __y);
extern _Float128 fmaf128(_Float128 __x, _Float128 __y, _Float128 __z);
extern long lrintf128(_Float128 __x);
extern long lroundf128(_Float128 __x);
extern long long llrintf128(_Float128 __x);
extern long long llroundf128(_Float128 __x);
#define HUGE_VAL_F128 (__builtin_huge_valf128())
#endif
#endif
