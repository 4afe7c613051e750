#ifndef __MAGUS_MALLOC_H
#define __MAGUS_MALLOC_H
#include <stdlib.h>
extern void *memalign(size_t __alignment, size_t __size);
extern void *valloc(size_t __size);
extern size_t malloc_usable_size(void *__ptr);
#endif
