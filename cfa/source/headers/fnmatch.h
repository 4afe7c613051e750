#ifndef __MAGUS_FNMATCH_H
#define __MAGUS_FNMATCH_H
#define FNM_NOMATCH 1
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
extern int fnmatch(const char *__pattern, const char *__s, int __flags);
#endif
