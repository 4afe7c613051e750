#ifndef __MAGUS_SYS_SYSLOG_H
#define __MAGUS_SYS_SYSLOG_H
#include <syslog.h>
#endif
