#ifndef __MAGUS_SYS_UIO_H
#define __MAGUS_SYS_UIO_H
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
#define UIO_MAXIOV 1024
extern ssize_t readv(int __fd, const struct iovec *__iov, int __n);
extern ssize_t writev(int __fd, const struct iovec *__iov, int __n);
extern ssize_t preadv(int __fd, const struct iovec *__iov, int __n, off_t __offset);
extern ssize_t pwritev(int __fd, const struct iovec *__iov, int __n, off_t __offset);
#endif
