#ifndef __MAGUS_STRINGS_H
#define __MAGUS_STRINGS_H
#include <stddef.h>
extern int bcmp(const void *__a, const void *__b, size_t __n);
extern void bcopy(const void *__src, void *__dest, size_t __n);
extern void bzero(void *__s, size_t __n);
extern int ffs(int __i);
extern int ffsl(long __i);
extern int ffsll(long long __i);
extern char *index(const char *__s, int __c);
extern char *rindex(const char *__s, int __c);
extern int strcasecmp(const char *__a, const char *__b);
extern int strncasecmp(const char *__a, const char *__b, size_t __n);
#endif
