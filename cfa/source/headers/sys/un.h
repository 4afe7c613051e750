#ifndef __MAGUS_SYS_UN_H
#define __MAGUS_SYS_UN_H
#include <sys/socket.h>
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
#define SUN_LEN(__p) ((unsigned long)&((struct sockaddr_un *)0)->sun_path + strlen((__p)->sun_path))
#endif
