#ifndef __MAGUS_ERR_H
#define __MAGUS_ERR_H
#include <stdarg.h>
extern void err(int __status, const char *__format, ...) __attribute__((noreturn));
extern void errx(int __status, const char *__format, ...) __attribute__((noreturn));
extern void warn(const char *__format, ...);
extern void warnx(const char *__format, ...);
extern void verr(int __status, const char *__format, va_list __ap) __attribute__((noreturn));
extern void verrx(int __status, const char *__format, va_list __ap) __attribute__((noreturn));
extern void vwarn(const char *__format, va_list __ap);
extern void vwarnx(const char *__format, va_list __ap);
#endif
