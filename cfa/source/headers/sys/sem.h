#ifndef __MAGUS_SYS_SEM_H
#define __MAGUS_SYS_SEM_H
#include <sys/ipc.h>
struct sembuf { unsigned short sem_num; short sem_op, sem_flg; };
#define SEM_UNDO 0x1000
#define GETVAL 12
#define SETVAL 16
extern int semget(key_t __key, int __n, int __flags);
extern int semop(int __id, struct sembuf *__ops, size_t __n);
extern int semctl(int __id, int __num, int __command, ...);
struct timespec;
extern int semtimedop(int __id, struct sembuf *__ops, size_t __count, const struct timespec *__timeout);
#endif
