#ifndef __MAGUS_SYS_FCNTL_H
#define __MAGUS_SYS_FCNTL_H
#include <fcntl.h>
#endif
