#ifndef __MAGUS_FENV_H
#define __MAGUS_FENV_H
typedef unsigned short fexcept_t;
typedef struct { unsigned int __control, __status, __more[__SIZEOF_POINTER__ == 4 ? 5 : 6]; } fenv_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_DFL_ENV ((const fenv_t *)-1)
extern int feclearexcept(int __excepts);
extern int fegetexceptflag(fexcept_t *__flag, int __excepts);
extern int feraiseexcept(int __excepts);
extern int fesetexceptflag(const fexcept_t *__flag, int __excepts);
extern int fetestexcept(int __excepts);
extern int fegetround(void);
extern int fesetround(int __round);
extern int fegetenv(fenv_t *__env);
extern int feholdexcept(fenv_t *__env);
extern int fesetenv(const fenv_t *__env);
extern int feupdateenv(const fenv_t *__env);
#endif
