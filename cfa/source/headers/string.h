#ifndef __MAGUS_STRING_H
#define __MAGUS_STRING_H
#include <stddef.h>
extern void *memcpy(void *__dest, const void *__src, size_t __n);
extern void *memmove(void *__dest, const void *__src, size_t __n);
extern void *memset(void *__s, int __c, size_t __n);
extern int memcmp(const void *__a, const void *__b, size_t __n);
extern void *memchr(const void *__s, int __c, size_t __n);
extern char *strcpy(char *__dest, const char *__src);
extern char *strncpy(char *__dest, const char *__src, size_t __n);
extern char *strcat(char *__dest, const char *__src);
extern char *strncat(char *__dest, const char *__src, size_t __n);
extern int strcmp(const char *__a, const char *__b);
extern int strncmp(const char *__a, const char *__b, size_t __n);
extern int strcoll(const char *__a, const char *__b);
extern size_t strxfrm(char *__dest, const char *__src, size_t __n);
extern char *strchr(const char *__s, int __c);
extern char *strrchr(const char *__s, int __c);
extern size_t strcspn(const char *__s, const char *__reject);
extern size_t strspn(const char *__s, const char *__accept);
extern char *strpbrk(const char *__s, const char *__accept);
extern char *strstr(const char *__s, const char *__t);
extern char *strtok(char *__s, const char *__delim);
extern char *strtok_r(char *__s, const char *__delim, char **__save);
extern size_t strlen(const char *__s);
extern size_t strnlen(const char *__s, size_t __n);
extern char *strdup(const char *__s);
extern char *strndup(const char *__s, size_t __n);
extern char *strerror(int __errnum);
extern void *memccpy(void *__dest, const void *__src, int __c, size_t __n);
extern void *mempcpy(void *__dest, const void *__src, size_t __n);
extern void *memrchr(const void *__s, int __c, size_t __n);
extern void *memmem(const void *__s, size_t __n, const void *__t, size_t __m);
extern void *rawmemchr(const void *__s, int __c);
extern void explicit_bzero(void *__s, size_t __n);
extern char *stpcpy(char *__dest, const char *__src);
extern char *stpncpy(char *__dest, const char *__src, size_t __n);
extern size_t strlcpy(char *__dest, const char *__src, size_t __n);
extern size_t strlcat(char *__dest, const char *__src, size_t __n);
extern char *strsep(char **__s, const char *__delim);
extern char *strcasestr(const char *__s, const char *__t);
extern char *strchrnul(const char *__s, int __c);
extern char *strsignal(int __sig);
#ifdef _GNU_SOURCE
extern char *strerror_r(int __errnum, char *__buf, size_t __n);
#else
extern int strerror_r(int __errnum, char *__buf, size_t __n) __asm__("__xpg_strerror_r");
#endif
extern int strverscmp(const char *__a, const char *__b);
extern int bcmp(const void *__a, const void *__b, size_t __n);
extern void bcopy(const void *__src, void *__dest, size_t __n);
extern void bzero(void *__s, size_t __n);
extern int ffs(int __i);
extern char *index(const char *__s, int __c);
extern char *rindex(const char *__s, int __c);
extern int strcasecmp(const char *__a, const char *__b);
extern int strncasecmp(const char *__a, const char *__b, size_t __n);
#endif
