#ifndef __MAGUS_TIME_H
#define __MAGUS_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int pid_t;
#ifndef __MAGUS_TIMESPEC
#define __MAGUS_TIMESPEC
struct timespec { time_t tv_sec; long tv_nsec; };
#endif
struct sigevent;
struct itimerspec { struct timespec it_interval, it_value; };
struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
	long tm_gmtoff;
	const char *tm_zone;
};
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
extern char *tzname[2];
extern int daylight;
extern long timezone;
extern clock_t clock(void);
extern double difftime(time_t __a, time_t __b);
extern time_t mktime(struct tm *__tm);
extern time_t timegm(struct tm *__tm);
extern time_t time(time_t *__t);
extern int timespec_get(struct timespec *__ts, int __base);
extern char *asctime(const struct tm *__tm);
extern char *asctime_r(const struct tm *__tm, char *__buf);
extern char *ctime(const time_t *__t);
extern char *ctime_r(const time_t *__t, char *__buf);
extern struct tm *gmtime(const time_t *__t);
extern struct tm *gmtime_r(const time_t *__t, struct tm *__tm);
extern struct tm *localtime(const time_t *__t);
extern struct tm *localtime_r(const time_t *__t, struct tm *__tm);
extern size_t strftime(char *__s, size_t __max, const char *__format, const struct tm *__tm);
extern char *strptime(const char *__s, const char *__format, struct tm *__tm);
extern void tzset(void);
extern int nanosleep(const struct timespec *__req, struct timespec *__rem);
extern int clock_getres(clockid_t __clock, struct timespec *__ts);
extern int clock_gettime(clockid_t __clock, struct timespec *__ts);
extern int clock_settime(clockid_t __clock, const struct timespec *__ts);
extern int clock_nanosleep(clockid_t __clock, int __flags, const struct timespec *__req, struct timespec *__rem);
extern int clock_getcpuclockid(pid_t __pid, clockid_t *__clock);
extern int timer_create(clockid_t __clock, struct sigevent *__event, timer_t *__timer);
extern int timer_delete(timer_t __timer);
extern int timer_settime(timer_t __timer, int __flags, const struct itimerspec *__value, struct itimerspec *__old);
extern int timer_gettime(timer_t __timer, struct itimerspec *__value);
extern int timer_getoverrun(timer_t __timer);
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#endif
