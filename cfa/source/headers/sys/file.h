#ifndef __MAGUS_SYS_FILE_H
#define __MAGUS_SYS_FILE_H
#include <fcntl.h>
extern int flock(int __fd, int __operation);
#endif
