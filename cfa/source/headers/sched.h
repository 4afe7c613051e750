#ifndef __MAGUS_SCHED_H
#define __MAGUS_SCHED_H
#include <sys/types.h>
#include <time.h>
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
extern int sched_yield(void);
extern int sched_get_priority_max(int __policy);
extern int sched_get_priority_min(int __policy);
extern int sched_getparam(pid_t __pid, struct sched_param *__param);
extern int sched_setparam(pid_t __pid, const struct sched_param *__param);
extern int sched_getscheduler(pid_t __pid);
extern int sched_setscheduler(pid_t __pid, int __policy, const struct sched_param *__param);
extern int sched_rr_get_interval(pid_t __pid, struct timespec *__ts);
#endif
