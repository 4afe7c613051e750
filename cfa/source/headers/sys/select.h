#ifndef __MAGUS_SYS_SELECT_H
#define __MAGUS_SYS_SELECT_H
#include <sys/types.h>
#include <signal.h>
#include <time.h>
#ifndef __MAGUS_TIMEVAL
#define __MAGUS_TIMEVAL
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
#endif
#define FD_SETSIZE 1024
#define NFDBITS (8 * (int)sizeof(long))
typedef struct { unsigned long __bits[1024 / (8 * sizeof(long))]; } fd_set;
#define FD_ZERO(set) (*(set) = (fd_set){{0}})
#define FD_SET(fd, set) ((void)((set)->__bits[(fd) / NFDBITS] |= 1UL << ((fd) % NFDBITS)))
#define FD_CLR(fd, set) ((void)((set)->__bits[(fd) / NFDBITS] &= ~(1UL << ((fd) % NFDBITS))))
#define FD_ISSET(fd, set) (((set)->__bits[(fd) / NFDBITS] >> ((fd) % NFDBITS) & 1) != 0)
extern int select(int __n, fd_set *__in, fd_set *__out, fd_set *__except, struct timeval *__timeout);
extern int pselect(int __n, fd_set *__in, fd_set *__out, fd_set *__except, const struct timespec *__timeout, const sigset_t *__mask);
#endif
