#ifndef __MAGUS_SYS_SIGNAL_H
#define __MAGUS_SYS_SIGNAL_H
#include <signal.h>
#endif
