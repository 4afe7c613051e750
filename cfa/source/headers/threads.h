#ifndef __MAGUS_THREADS_H
#define __MAGUS_THREADS_H
#include <time.h>
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct { int __held; long __rest[__SIZEOF_POINTER__ == 4 ? 5 : 4]; } mtx_t;
typedef struct { int __waiting; long __more[__SIZEOF_POINTER__ == 4 ? 11 : 5]; } cnd_t;
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef int once_flag;
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4
#ifndef thread_local
#define thread_local _Thread_local
#endif
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
extern int thrd_create(thrd_t *__id, thrd_start_t __start, void *__arg);
extern int thrd_equal(thrd_t __a, thrd_t __b);
extern thrd_t thrd_current(void);
extern int thrd_sleep(const struct timespec *__time, struct timespec *__remaining);
extern void thrd_exit(int __result) __attribute__((noreturn));
extern int thrd_detach(thrd_t __id);
extern int thrd_join(thrd_t __id, int *__result);
extern void thrd_yield(void);
extern int mtx_init(mtx_t *__mutex, int __type);
extern int mtx_lock(mtx_t *__mutex);
extern int mtx_timedlock(mtx_t *__mutex, const struct timespec *__time);
extern int mtx_trylock(mtx_t *__mutex);
extern int mtx_unlock(mtx_t *__mutex);
extern void mtx_destroy(mtx_t *__mutex);
extern int cnd_init(cnd_t *__cond);
extern int cnd_signal(cnd_t *__cond);
extern int cnd_broadcast(cnd_t *__cond);
extern int cnd_wait(cnd_t *__cond, mtx_t *__mutex);
extern int cnd_timedwait(cnd_t *__cond, mtx_t *__mutex, const struct timespec *__time);
extern void cnd_destroy(cnd_t *__cond);
extern int tss_create(tss_t *__key, tss_dtor_t __destructor);
extern void *tss_get(tss_t __key);
extern int tss_set(tss_t __key, void *__value);
extern void tss_delete(tss_t __key);
extern void call_once(once_flag *__flag, void (*__func)(void));
#endif
