#ifndef __MAGUS_SEMAPHORE_H
#define __MAGUS_SEMAPHORE_H
#include <sys/types.h>
#include <time.h>
typedef struct { int __value; long __more[3]; } sem_t;
#define SEM_FAILED ((sem_t *)0)
extern int sem_init(sem_t *__sem, int __shared, unsigned int __value);
extern int sem_destroy(sem_t *__sem);
extern sem_t *sem_open(const char *__name, int __flags, ...);
extern int sem_close(sem_t *__sem);
extern int sem_unlink(const char *__name);
extern int sem_wait(sem_t *__sem);
extern int sem_trywait(sem_t *__sem);
extern int sem_timedwait(sem_t *__sem, const struct timespec *__time);
extern int sem_post(sem_t *__sem);
extern int sem_getvalue(sem_t *__sem, int *__value);
#endif
