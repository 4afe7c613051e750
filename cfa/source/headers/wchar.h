#ifndef __MAGUS_WCHAR_H
#define __MAGUS_WCHAR_H
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#ifndef WEOF
#define WEOF (0xffffffffu)
#endif
#ifndef WCHAR_MIN
#define WCHAR_MIN (-2147483647-1)
#define WCHAR_MAX 2147483647
#endif
#ifndef __MAGUS_MBSTATE
#define __MAGUS_MBSTATE
typedef struct { int __count; unsigned int __value; } mbstate_t;
#endif
struct tm;
extern int fwprintf(FILE *__stream, const wchar_t *__format, ...);
extern int fwscanf(FILE *__stream, const wchar_t *__format, ...);
extern int swprintf(wchar_t *__s, size_t __n, const wchar_t *__format, ...);
extern int swscanf(const wchar_t *__s, const wchar_t *__format, ...);
extern int wprintf(const wchar_t *__format, ...);
extern int wscanf(const wchar_t *__format, ...);
extern int vfwprintf(FILE *__stream, const wchar_t *__format, va_list __ap);
extern int vfwscanf(FILE *__stream, const wchar_t *__format, va_list __ap);
extern int vswprintf(wchar_t *__s, size_t __n, const wchar_t *__format, va_list __ap);
extern int vswscanf(const wchar_t *__s, const wchar_t *__format, va_list __ap);
extern int vwprintf(const wchar_t *__format, va_list __ap);
extern int vwscanf(const wchar_t *__format, va_list __ap);
extern wint_t fgetwc(FILE *__stream);
extern wchar_t *fgetws(wchar_t *__s, int __n, FILE *__stream);
extern wint_t fputwc(wchar_t __c, FILE *__stream);
extern int fputws(const wchar_t *__s, FILE *__stream);
extern int fwide(FILE *__stream, int __mode);
extern wint_t getwc(FILE *__stream);
extern wint_t getwchar(void);
extern wint_t putwc(wchar_t __c, FILE *__stream);
extern wint_t putwchar(wchar_t __c);
extern wint_t ungetwc(wint_t __c, FILE *__stream);
extern double wcstod(const wchar_t *__s, wchar_t **__end);
extern float wcstof(const wchar_t *__s, wchar_t **__end);
extern long double wcstold(const wchar_t *__s, wchar_t **__end);
extern long wcstol(const wchar_t *__s, wchar_t **__end, int __base);
extern long long wcstoll(const wchar_t *__s, wchar_t **__end, int __base);
extern unsigned long wcstoul(const wchar_t *__s, wchar_t **__end, int __base);
extern unsigned long long wcstoull(const wchar_t *__s, wchar_t **__end, int __base);
extern wchar_t *wcscpy(wchar_t *__dest, const wchar_t *__src);
extern wchar_t *wcsncpy(wchar_t *__dest, const wchar_t *__src, size_t __n);
extern wchar_t *wcscat(wchar_t *__dest, const wchar_t *__src);
extern wchar_t *wcsncat(wchar_t *__dest, const wchar_t *__src, size_t __n);
extern wchar_t *wcsdup(const wchar_t *__s);
extern int wcscmp(const wchar_t *__a, const wchar_t *__b);
extern int wcsncmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
extern int wcscoll(const wchar_t *__a, const wchar_t *__b);
extern size_t wcsxfrm(wchar_t *__dest, const wchar_t *__src, size_t __n);
extern wchar_t *wcschr(const wchar_t *__s, wchar_t __c);
extern wchar_t *wcsrchr(const wchar_t *__s, wchar_t __c);
extern size_t wcscspn(const wchar_t *__s, const wchar_t *__reject);
extern size_t wcsspn(const wchar_t *__s, const wchar_t *__accept);
extern wchar_t *wcspbrk(const wchar_t *__s, const wchar_t *__accept);
extern wchar_t *wcsstr(const wchar_t *__s, const wchar_t *__t);
extern wchar_t *wcstok(wchar_t *__s, const wchar_t *__delim, wchar_t **__save);
extern size_t wcslen(const wchar_t *__s);
extern size_t wcsnlen(const wchar_t *__s, size_t __n);
extern wchar_t *wmemcpy(wchar_t *__dest, const wchar_t *__src, size_t __n);
extern wchar_t *wmemmove(wchar_t *__dest, const wchar_t *__src, size_t __n);
extern wchar_t *wmemset(wchar_t *__s, wchar_t __c, size_t __n);
extern int wmemcmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
extern wchar_t *wmemchr(const wchar_t *__s, wchar_t __c, size_t __n);
extern size_t wcsftime(wchar_t *__s, size_t __max, const wchar_t *__format, const struct tm *__tm);
extern wint_t btowc(int __c);
extern int wctob(wint_t __c);
extern int mbsinit(const mbstate_t *__state);
extern size_t mbrlen(const char *__s, size_t __n, mbstate_t *__state);
extern size_t mbrtowc(wchar_t *__c, const char *__s, size_t __n, mbstate_t *__state);
extern size_t wcrtomb(char *__s, wchar_t __c, mbstate_t *__state);
extern size_t mbsrtowcs(wchar_t *__dest, const char **__src, size_t __n, mbstate_t *__state);
extern size_t wcsrtombs(char *__dest, const wchar_t **__src, size_t __n, mbstate_t *__state);
extern int wcwidth(wchar_t __c);
extern int wcswidth(const wchar_t *__s, size_t __n);
extern wchar_t *wcpcpy(wchar_t *__d, const wchar_t *__s);
extern wchar_t *wcpncpy(wchar_t *__d, const wchar_t *__s, size_t __n);
extern int wcscasecmp(const wchar_t *__a, const wchar_t *__b);
extern int wcsncasecmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
extern size_t mbsnrtowcs(wchar_t *__d, const char **__s, size_t __bytes, size_t __n, mbstate_t *__state);
extern size_t wcsnrtombs(char *__d, const wchar_t **__s, size_t __wide, size_t __n, mbstate_t *__state);
extern wchar_t *wmempcpy(wchar_t *__d, const wchar_t *__s, size_t __n);
#endif
