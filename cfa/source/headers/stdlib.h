#ifndef __MAGUS_STDLIB_H
#define __MAGUS_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
extern void abort(void);
extern void exit(int __status);
extern void _Exit(int __status);
extern void quick_exit(int __status);
extern int atexit(void (*__func)(void));
extern void *malloc(size_t __size);
extern void *calloc(size_t __nmemb, size_t __size);
extern void *realloc(void *__ptr, size_t __size);
extern void *alloca(size_t __size);
extern void *aligned_alloc(size_t __alignment, size_t __size);
extern void free(void *__ptr);
extern int rand(void);
extern void srand(unsigned int __seed);
extern long random(void);
extern void srandom(unsigned int __seed);
extern int abs(int __x);
extern long labs(long __x);
extern long long llabs(long long __x);
extern div_t div(int __numer, int __denom);
extern ldiv_t ldiv(long __numer, long __denom);
extern lldiv_t lldiv(long long __numer, long long __denom);
extern int atoi(const char *__s);
extern long atol(const char *__s);
extern long long atoll(const char *__s);
extern double atof(const char *__s);
extern long strtol(const char *__s, char **__end, int __base);
extern long long strtoll(const char *__s, char **__end, int __base);
extern unsigned long strtoul(const char *__s, char **__end, int __base);
extern unsigned long long strtoull(const char *__s, char **__end, int __base);
extern double strtod(const char *__s, char **__end);
extern float strtof(const char *__s, char **__end);
extern char *getenv(const char *__name);
extern int setenv(const char *__name, const char *__value, int __replace);
extern int system(const char *__command);
extern void qsort(void *__base, size_t __n, size_t __size, int (*__cmp)(const void *, const void *));
extern void *bsearch(const void *__key, const void *__base, size_t __n, size_t __size, int (*__cmp)(const void *, const void *));
extern long double strtold(const char *__s, char **__end);
#if defined _GNU_SOURCE || defined __STDC_WANT_IEC_60559_TYPES_EXT__
extern _Float128 strtof128(const char *__s, char **__end);
#endif
extern int at_quick_exit(void (*__func)(void));
extern int mblen(const char *__s, size_t __n);
extern int mbtowc(wchar_t *__c, const char *__s, size_t __n);
extern int wctomb(char *__s, wchar_t __c);
extern size_t mbstowcs(wchar_t *__dest, const char *__src, size_t __n);
extern size_t wcstombs(char *__dest, const wchar_t *__src, size_t __n);
extern char *secure_getenv(const char *__name);
extern int putenv(char *__s);
extern int unsetenv(const char *__name);
extern int clearenv(void);
extern int mkstemp(char *__template);
extern int mkostemp(char *__template, int __flags);
extern int mkstemps(char *__template, int __len);
extern char *mkdtemp(char *__template);
extern char *mktemp(char *__template);
extern char *realpath(const char *__path, char *__resolved);
extern int posix_memalign(void **__ptr, size_t __alignment, size_t __size);
extern void *reallocarray(void *__ptr, size_t __nmemb, size_t __size);
extern int rand_r(unsigned int *__seed);
extern double drand48(void);
extern long lrand48(void);
extern void srand48(long __seed);
extern char *initstate(unsigned int __seed, char *__state, size_t __n);
extern char *setstate(char *__state);
extern unsigned int arc4random(void);
extern unsigned int arc4random_uniform(unsigned int __bound);
extern void arc4random_buf(void *__buf, size_t __n);
extern int getloadavg(double __avg[], int __n);
extern int getsubopt(char **__option, char *const *__tokens, char **__value);
extern int grantpt(int __fd);
extern int unlockpt(int __fd);
extern int posix_openpt(int __flags);
extern char *ptsname(int __fd);
extern double erand48(unsigned short __x[3]);
extern long jrand48(unsigned short __x[3]);
extern long nrand48(unsigned short __x[3]);
extern long mrand48(void);
extern unsigned short *seed48(unsigned short __seed[3]);
extern void lcong48(unsigned short __parameters[7]);
extern char *l64a(long __n);
extern long a64l(const char *__s);
extern char *ecvt(double __x, int __digits, int *__point, int *__sign);
extern char *fcvt(double __x, int __digits, int *__point, int *__sign);
extern char *gcvt(double __x, int __digits, char *__s);
extern int on_exit(void (*__f)(int, void *), void *__argument);
#ifdef _GNU_SOURCE
extern char *canonicalize_file_name(const char *__name);
#endif
extern void qsort_r(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *, void *), void *__argument);
#endif
