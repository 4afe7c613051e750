#ifndef __MAGUS_MQUEUE_H
#define __MAGUS_MQUEUE_H
#include <sys/types.h>
#include <time.h>
typedef int mqd_t;
struct mq_attr { long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs, __more[4]; };
extern mqd_t mq_open(const char *__name, int __flags, ...);
extern int mq_close(mqd_t __q);
extern int mq_unlink(const char *__name);
extern int mq_send(mqd_t __q, const char *__msg, size_t __n, unsigned int __priority);
extern ssize_t mq_receive(mqd_t __q, char *__msg, size_t __n, unsigned int *__priority);
extern int mq_getattr(mqd_t __q, struct mq_attr *__attr);
extern int mq_setattr(mqd_t __q, const struct mq_attr *__attr, struct mq_attr *__old);
struct sigevent;
struct timespec;
extern int mq_notify(mqd_t __q, const struct sigevent *__event);
extern ssize_t mq_timedreceive(mqd_t __q, char *__msg, size_t __n, unsigned int *__priority, const struct timespec *__until);
extern int mq_timedsend(mqd_t __q, const char *__msg, size_t __n, unsigned int __priority, const struct timespec *__until);
#endif
