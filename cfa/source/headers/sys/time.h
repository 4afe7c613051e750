#ifndef __MAGUS_SYS_TIME_H
#define __MAGUS_SYS_TIME_H
#include <sys/types.h>
#include <sys/select.h>
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, r) do { (r)->tv_sec = (a)->tv_sec + (b)->tv_sec; (r)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
	if ((r)->tv_usec >= 1000000) { ++(r)->tv_sec; (r)->tv_usec -= 1000000; } } while (0)
#define timersub(a, b, r) do { (r)->tv_sec = (a)->tv_sec - (b)->tv_sec; (r)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
	if ((r)->tv_usec < 0) { --(r)->tv_sec; (r)->tv_usec += 1000000; } } while (0)
extern int gettimeofday(struct timeval *__tv, void *__tz);
extern int settimeofday(const struct timeval *__tv, const struct timezone *__tz);
extern int adjtime(const struct timeval *__delta, struct timeval *__old);
extern int getitimer(int __which, struct itimerval *__value);
extern int setitimer(int __which, const struct itimerval *__value, struct itimerval *__old);
extern int utimes(const char *__path, const struct timeval __times[2]);
extern int futimes(int __fd, const struct timeval __times[2]);
#define TIMEVAL_TO_TIMESPEC(__v, __s) do { (__s)->tv_sec = (__v)->tv_sec; (__s)->tv_nsec = (__v)->tv_usec * 1000; } while (0)
#define TIMESPEC_TO_TIMEVAL(__v, __s) do { (__v)->tv_sec = (__s)->tv_sec; (__v)->tv_usec = (__s)->tv_nsec / 1000; } while (0)
extern int lutimes(const char *__path, const struct timeval __times[2]);
#endif
