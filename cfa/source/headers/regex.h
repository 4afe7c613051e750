#ifndef __MAGUS_REGEX_H
#define __MAGUS_REGEX_H
#include <stddef.h>
typedef int regoff_t;
typedef struct { void *__program[6]; size_t re_nsub, __more; } regex_t;
typedef struct { regoff_t rm_so, rm_eo; } regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ESPACE 12
extern int regcomp(regex_t *__re, const char *__pattern, int __flags);
extern int regexec(const regex_t *__re, const char *__s, size_t __n, regmatch_t __match[], int __flags);
extern size_t regerror(int __error, const regex_t *__re, char *__buf, size_t __n);
extern void regfree(regex_t *__re);
#define REG_ENOSYS (-1)
#define REG_NOERROR 0
#define REG_ECOLLATE 3
#define REG_ECTYPE 4
#define REG_EESCAPE 5
#define REG_ESUBREG 6
#define REG_EBRACK 7
#define REG_EPAREN 8
#define REG_EBRACE 9
#define REG_ERANGE 11
#define REG_EEND 14
#define REG_ESIZE 15
#define REG_ERPAREN 16
#endif
