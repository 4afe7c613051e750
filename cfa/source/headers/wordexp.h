#ifndef __MAGUS_WORDEXP_H
#define __MAGUS_WORDEXP_H
#include <stddef.h>
typedef struct { size_t we_wordc; char **we_wordv; size_t we_offs; } wordexp_t;
extern int wordexp(const char *__s, wordexp_t *__w, int __flags);
extern void wordfree(wordexp_t *__w);
#endif
