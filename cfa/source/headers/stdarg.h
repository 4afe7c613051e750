#ifndef __MAGUS_STDARG_H
#define __MAGUS_STDARG_H
typedef __builtin_va_list va_list;
typedef __builtin_va_list __gnuc_va_list; /* for the headers of a host */
#define __GNUC_VA_LIST
#define va_start(ap, ...) __builtin_va_start(ap, __VA_ARGS__)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
#define va_end(ap) __builtin_va_end(ap)
#define va_copy(dst, src) __builtin_va_copy(dst, src)
#endif
