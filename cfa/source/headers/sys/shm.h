#ifndef __MAGUS_SYS_SHM_H
#define __MAGUS_SYS_SHM_H
#include <sys/ipc.h>
#if __SIZEOF_POINTER__ == 4
struct shmid_ds { struct ipc_perm shm_perm; size_t shm_segsz; time_t shm_atime; long __a; time_t shm_dtime; long __d; time_t shm_ctime; long __c; pid_t shm_cpid, shm_lpid; unsigned long shm_nattch, __more[2]; };
#else
struct shmid_ds { struct ipc_perm shm_perm; size_t shm_segsz; time_t shm_atime, shm_dtime, shm_ctime; pid_t shm_cpid, shm_lpid; unsigned long shm_nattch, __more[2]; };
#endif
#define SHM_RDONLY 010000
extern int shmget(key_t __key, size_t __size, int __flags);
extern void *shmat(int __id, const void *__addr, int __flags);
extern int shmdt(const void *__addr);
extern int shmctl(int __id, int __command, struct shmid_ds *__buf);
#endif
