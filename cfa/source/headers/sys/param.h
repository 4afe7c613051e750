#ifndef __MAGUS_SYS_PARAM_H
#define __MAGUS_SYS_PARAM_H
#include <sys/types.h>
#include <limits.h>
#include <endian.h>
#include <signal.h>
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define NBBY 8
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#endif
