#ifndef __MAGUS_MEMORY_H
#define __MAGUS_MEMORY_H
#include <string.h>
#endif
