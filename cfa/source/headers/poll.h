#ifndef __MAGUS_POLL_H
#define __MAGUS_POLL_H
typedef unsigned long nfds_t;
struct pollfd { int fd; short events, revents; };
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
#define POLLRDNORM 0x40
#define POLLRDBAND 0x80
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
extern int poll(struct pollfd *__fds, nfds_t __n, int __timeout);
#define POLLMSG 0x400
#define POLLREMOVE 0x1000
#define POLLRDHUP 0x2000
struct timespec;
extern int ppoll(struct pollfd *__fds, nfds_t __n, const struct timespec *__timeout, const void *__mask);
#endif
