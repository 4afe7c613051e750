#ifndef __MAGUS_SYS_ERRNO_H
#define __MAGUS_SYS_ERRNO_H
#include <errno.h>
#endif
