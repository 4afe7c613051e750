#ifndef __MAGUS_UCHAR_H
#define __MAGUS_UCHAR_H
#include <stddef.h>
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#ifndef __MAGUS_MBSTATE
#define __MAGUS_MBSTATE
typedef struct { int __count; unsigned int __value; } mbstate_t;
#endif
extern size_t mbrtoc16(char16_t *__c, const char *__s, size_t __n, mbstate_t *__state);
extern size_t c16rtomb(char *__s, char16_t __c, mbstate_t *__state);
extern size_t mbrtoc32(char32_t *__c, const char *__s, size_t __n, mbstate_t *__state);
extern size_t c32rtomb(char *__s, char32_t __c, mbstate_t *__state);
#endif
