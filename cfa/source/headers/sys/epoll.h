#ifndef __MAGUS_SYS_EPOLL_H
#define __MAGUS_SYS_EPOLL_H
#include <stdint.h>
#include <signal.h>
typedef union epoll_data { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
#ifdef __x86_64__
struct epoll_event { uint32_t events; epoll_data_t data; } __attribute__((packed));
#else
struct epoll_event { uint32_t events; epoll_data_t data; };
#endif
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 0x10
#define EPOLLRDHUP 0x2000
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLL_CLOEXEC 02000000
extern int epoll_create(int __size);
extern int epoll_create1(int __flags);
extern int epoll_ctl(int __epfd, int __op, int __fd, struct epoll_event *__event);
extern int epoll_wait(int __epfd, struct epoll_event *__events, int __max, int __timeout);
#define EPOLLRDNORM 64
#define EPOLLRDBAND 128
#define EPOLLWRNORM 0x100
#define EPOLLWRBAND 0x200
#define EPOLLMSG 0x400
#define EPOLLEXCLUSIVE 0x10000000
#define EPOLLWAKEUP 0x20000000
extern int epoll_pwait(int __fd, struct epoll_event *__events, int __most, int __timeout, const sigset_t *__mask);
#endif
