#ifndef __MAGUS_PTHREAD_H
#define __MAGUS_PTHREAD_H
/* What is said of pthread_create and its like: c-input.md. */
#include <sys/types.h>
#include <sched.h>
#include <time.h>
#define PTHREAD_MUTEX_INITIALIZER {0}
#if __SIZEOF_POINTER__ == 4
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {0, {1}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {0, {2}}
#else
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {0, 0, {1}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {0, 0, {2}}
#endif
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
extern int pthread_create(pthread_t *__id, const pthread_attr_t *__attr, void *(*__start)(void *), void *__arg);
extern void pthread_exit(void *__value) __attribute__((noreturn));
extern int pthread_join(pthread_t __id, void **__value);
extern int pthread_detach(pthread_t __id);
extern int pthread_cancel(pthread_t __id);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t __a, pthread_t __b);
extern int pthread_once(pthread_once_t *__once, void (*__init)(void));
extern int pthread_atfork(void (*__prepare)(void), void (*__parent)(void), void (*__child)(void));
extern int pthread_attr_init(pthread_attr_t *__attr);
extern int pthread_attr_destroy(pthread_attr_t *__attr);
extern int pthread_attr_getdetachstate(const pthread_attr_t *__attr, int *__state);
extern int pthread_attr_setdetachstate(pthread_attr_t *__attr, int __state);
extern int pthread_attr_getstacksize(const pthread_attr_t *__attr, size_t *__size);
extern int pthread_attr_setstacksize(pthread_attr_t *__attr, size_t __size);
extern int pthread_attr_getschedparam(const pthread_attr_t *__attr, struct sched_param *__param);
extern int pthread_attr_setschedparam(pthread_attr_t *__attr, const struct sched_param *__param);
extern int pthread_attr_setschedpolicy(pthread_attr_t *__attr, int __policy);
extern int pthread_attr_setinheritsched(pthread_attr_t *__attr, int __inherit);
extern int pthread_attr_setscope(pthread_attr_t *__attr, int __scope);
extern int pthread_mutex_init(pthread_mutex_t *__mutex, const pthread_mutexattr_t *__attr);
extern int pthread_mutex_destroy(pthread_mutex_t *__mutex);
extern int pthread_mutex_lock(pthread_mutex_t *__mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *__mutex);
extern int pthread_mutex_timedlock(pthread_mutex_t *__mutex, const struct timespec *__time);
extern int pthread_mutex_unlock(pthread_mutex_t *__mutex);
extern int pthread_mutexattr_init(pthread_mutexattr_t *__attr);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *__attr);
extern int pthread_mutexattr_gettype(const pthread_mutexattr_t *__attr, int *__type);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *__attr, int __type);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *__attr, int __shared);
extern int pthread_mutexattr_setprotocol(pthread_mutexattr_t *__attr, int __protocol);
extern int pthread_cond_init(pthread_cond_t *__cond, const pthread_condattr_t *__attr);
extern int pthread_cond_destroy(pthread_cond_t *__cond);
extern int pthread_cond_signal(pthread_cond_t *__cond);
extern int pthread_cond_broadcast(pthread_cond_t *__cond);
extern int pthread_cond_wait(pthread_cond_t *__cond, pthread_mutex_t *__mutex);
extern int pthread_cond_timedwait(pthread_cond_t *__cond, pthread_mutex_t *__mutex, const struct timespec *__time);
extern int pthread_condattr_init(pthread_condattr_t *__attr);
extern int pthread_condattr_destroy(pthread_condattr_t *__attr);
extern int pthread_condattr_setclock(pthread_condattr_t *__attr, clockid_t __clock);
extern int pthread_condattr_setpshared(pthread_condattr_t *__attr, int __shared);
extern int pthread_rwlock_init(pthread_rwlock_t *__lock, const pthread_rwlockattr_t *__attr);
extern int pthread_rwlock_destroy(pthread_rwlock_t *__lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_unlock(pthread_rwlock_t *__lock);
extern int pthread_spin_init(pthread_spinlock_t *__lock, int __shared);
extern int pthread_spin_destroy(pthread_spinlock_t *__lock);
extern int pthread_spin_lock(pthread_spinlock_t *__lock);
extern int pthread_spin_trylock(pthread_spinlock_t *__lock);
extern int pthread_spin_unlock(pthread_spinlock_t *__lock);
extern int pthread_barrier_init(pthread_barrier_t *__barrier, const pthread_barrierattr_t *__attr, unsigned int __count);
extern int pthread_barrier_destroy(pthread_barrier_t *__barrier);
extern int pthread_barrier_wait(pthread_barrier_t *__barrier);
extern int pthread_key_create(pthread_key_t *__key, void (*__destructor)(void *));
extern int pthread_key_delete(pthread_key_t __key);
extern void *pthread_getspecific(pthread_key_t __key);
extern int pthread_setspecific(pthread_key_t __key, const void *__value);
extern int pthread_setcancelstate(int __state, int *__old);
extern int pthread_setcanceltype(int __type, int *__old);
extern void pthread_testcancel(void);
extern int pthread_getschedparam(pthread_t __id, int *__policy, struct sched_param *__param);
extern int pthread_setschedparam(pthread_t __id, int __policy, const struct sched_param *__param);
extern int pthread_setname_np(pthread_t __id, const char *__name);
extern int pthread_getname_np(pthread_t __id, char *__name, size_t __n);
extern void __magus_cleanup_push(void (*__routine)(void *), void *__arg);
extern void __magus_cleanup_pop(int __execute);
#define pthread_cleanup_push(routine, arg) do { __magus_cleanup_push(routine, arg);
#define pthread_cleanup_pop(execute) __magus_cleanup_pop(execute); } while (0)
extern int pthread_attr_getguardsize(const pthread_attr_t *__attr, size_t *__n);
extern int pthread_attr_setguardsize(pthread_attr_t *__attr, size_t __n);
extern int pthread_attr_getinheritsched(const pthread_attr_t *__attr, int *__inherit);
extern int pthread_attr_getschedpolicy(const pthread_attr_t *__attr, int *__policy);
extern int pthread_attr_getscope(const pthread_attr_t *__attr, int *__scope);
extern int pthread_attr_getstack(const pthread_attr_t *__attr, void **__stack, size_t *__n);
extern int pthread_attr_setstack(pthread_attr_t *__attr, void *__stack, size_t __n);
extern int pthread_barrierattr_init(pthread_barrierattr_t *__attr);
extern int pthread_barrierattr_destroy(pthread_barrierattr_t *__attr);
extern int pthread_barrierattr_setpshared(pthread_barrierattr_t *__attr, int __shared);
extern int pthread_condattr_getclock(const pthread_condattr_t *__attr, clockid_t *__clock);
extern int pthread_condattr_getpshared(const pthread_condattr_t *__attr, int *__shared);
#endif
