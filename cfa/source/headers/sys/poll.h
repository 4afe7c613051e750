#ifndef __MAGUS_SYS_POLL_H
#define __MAGUS_SYS_POLL_H
#include <poll.h>
#endif
