#ifndef __MAGUS_SYS_MSG_H
#define __MAGUS_SYS_MSG_H
#include <sys/ipc.h>
extern int msgget(key_t __key, int __flags);
extern int msgsnd(int __id, const void *__msg, size_t __size, int __flags);
extern ssize_t msgrcv(int __id, void *__msg, size_t __size, long __type, int __flags);
struct msqid_ds;
extern int msgctl(int __id, int __command, struct msqid_ds *__buf);
#endif
