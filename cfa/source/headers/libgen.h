#ifndef __MAGUS_LIBGEN_H
#define __MAGUS_LIBGEN_H
extern char *basename(char *__path);
extern char *dirname(char *__path);
#endif
