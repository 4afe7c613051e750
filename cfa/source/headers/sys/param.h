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
#define DEV_BSIZE 0x200
#define NGROUPS 0x10000
#define setbit(__a, __i) ((__a)[(__i) / 8] |= 1 << (__i) % 8)
#define clrbit(__a, __i) ((__a)[(__i) / 8] &= ~(1 << (__i) % 8))
#define isset(__a, __i) ((__a)[(__i) / 8] & (1 << (__i) % 8))
#define isclr(__a, __i) (((__a)[(__i) / 8] & (1 << (__i) % 8)) == 0)
#define powerof2(__x) ((((__x) - 1) & (__x)) == 0)
#endif
