#ifndef __MAGUS_COMPLEX_H
#define __MAGUS_COMPLEX_H
#define complex _Complex
extern float _Complex __magus_imaginary_unit;
#define _Complex_I __magus_imaginary_unit
#define I _Complex_I
extern double _Complex cacos(double _Complex __z);
extern double _Complex casin(double _Complex __z);
extern double _Complex catan(double _Complex __z);
extern double _Complex ccos(double _Complex __z);
extern double _Complex csin(double _Complex __z);
extern double _Complex ctan(double _Complex __z);
extern double _Complex cacosh(double _Complex __z);
extern double _Complex casinh(double _Complex __z);
extern double _Complex catanh(double _Complex __z);
extern double _Complex ccosh(double _Complex __z);
extern double _Complex csinh(double _Complex __z);
extern double _Complex ctanh(double _Complex __z);
extern double _Complex cexp(double _Complex __z);
extern double _Complex clog(double _Complex __z);
extern double _Complex csqrt(double _Complex __z);
extern double _Complex conj(double _Complex __z);
extern double _Complex cproj(double _Complex __z);
extern double cabs(double _Complex __z);
extern double carg(double _Complex __z);
extern double cimag(double _Complex __z);
extern double creal(double _Complex __z);
extern double _Complex cpow(double _Complex __x, double _Complex __y);
extern float _Complex cacosf(float _Complex __z);
extern float _Complex casinf(float _Complex __z);
extern float _Complex catanf(float _Complex __z);
extern float _Complex ccosf(float _Complex __z);
extern float _Complex csinf(float _Complex __z);
extern float _Complex ctanf(float _Complex __z);
extern float _Complex cacoshf(float _Complex __z);
extern float _Complex casinhf(float _Complex __z);
extern float _Complex catanhf(float _Complex __z);
extern float _Complex ccoshf(float _Complex __z);
extern float _Complex csinhf(float _Complex __z);
extern float _Complex ctanhf(float _Complex __z);
extern float _Complex cexpf(float _Complex __z);
extern float _Complex clogf(float _Complex __z);
extern float _Complex csqrtf(float _Complex __z);
extern float _Complex conjf(float _Complex __z);
extern float _Complex cprojf(float _Complex __z);
extern float cabsf(float _Complex __z);
extern float cargf(float _Complex __z);
extern float cimagf(float _Complex __z);
extern float crealf(float _Complex __z);
extern float _Complex cpowf(float _Complex __x, float _Complex __y);
extern long double _Complex cacosl(long double _Complex __z);
extern long double _Complex casinl(long double _Complex __z);
extern long double _Complex catanl(long double _Complex __z);
extern long double _Complex ccosl(long double _Complex __z);
extern long double _Complex csinl(long double _Complex __z);
extern long double _Complex ctanl(long double _Complex __z);
extern long double _Complex cacoshl(long double _Complex __z);
extern long double _Complex casinhl(long double _Complex __z);
extern long double _Complex catanhl(long double _Complex __z);
extern long double _Complex ccoshl(long double _Complex __z);
extern long double _Complex csinhl(long double _Complex __z);
extern long double _Complex ctanhl(long double _Complex __z);
extern long double _Complex cexpl(long double _Complex __z);
extern long double _Complex clogl(long double _Complex __z);
extern long double _Complex csqrtl(long double _Complex __z);
extern long double _Complex conjl(long double _Complex __z);
extern long double _Complex cprojl(long double _Complex __z);
extern long double cabsl(long double _Complex __z);
extern long double cargl(long double _Complex __z);
extern long double cimagl(long double _Complex __z);
extern long double creall(long double _Complex __z);
extern long double _Complex cpowl(long double _Complex __x, long double _Complex __y);
#define CMPLX(__x, __y) ((double complex)((double)(__x) + _Complex_I * (double)(__y)))
#define CMPLXF(__x, __y) ((float complex)((float)(__x) + _Complex_I * (float)(__y)))
#define CMPLXL(__x, __y) ((long double complex)((long double)(__x) + _Complex_I * (long double)(__y)))
#endif
