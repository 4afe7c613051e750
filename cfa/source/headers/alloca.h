#ifndef __MAGUS_ALLOCA_H
#define __MAGUS_ALLOCA_H
#include <stddef.h>
extern void *alloca(size_t __size);
#endif
