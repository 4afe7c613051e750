#ifndef __MAGUS_SEARCH_H
#define __MAGUS_SEARCH_H
#include <stddef.h>
typedef enum { FIND, ENTER } ACTION;
typedef struct { char *key; void *data; } ENTRY;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
extern int hcreate(size_t __n);
extern void hdestroy(void);
extern ENTRY *hsearch(ENTRY __item, ACTION __action);
extern void *tsearch(const void *__key, void **__root, int (*__cmp)(const void *, const void *));
extern void *tfind(const void *__key, void *const *__root, int (*__cmp)(const void *, const void *));
extern void *tdelete(const void *__key, void **__root, int (*__cmp)(const void *, const void *));
extern void *lfind(const void *__key, const void *__base, size_t *__n, size_t __size, int (*__cmp)(const void *, const void *));
extern void insque(void *__element, void *__before);
extern void remque(void *__element);
extern void *lsearch(const void *__key, void *__base, size_t *__count, size_t __size, int (*__compare)(const void *, const void *));
#endif
