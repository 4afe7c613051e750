#ifndef __MAGUS_UTIME_H
#define __MAGUS_UTIME_H
#include <sys/types.h>
struct utimbuf { time_t actime, modtime; };
extern int utime(const char *__path, const struct utimbuf *__times);
#endif
