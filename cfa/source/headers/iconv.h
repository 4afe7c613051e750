#ifndef __MAGUS_ICONV_H
#define __MAGUS_ICONV_H
#include <stddef.h>
typedef void *iconv_t;
extern iconv_t iconv_open(const char *__to, const char *__from);
extern size_t iconv(iconv_t __cd, char **__in, size_t *__inleft, char **__out, size_t *__outleft);
extern int iconv_close(iconv_t __cd);
#endif
