#ifndef __MAGUS_SYS_TYPES_H
#define __MAGUS_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
#ifndef __MAGUS_OFF_T
#define __MAGUS_OFF_T
typedef __INTPTR_TYPE__ ssize_t;
typedef long off_t;
#endif
#if __SIZEOF_POINTER__ == 4
typedef long long off64_t;
#else
typedef long off64_t;
#endif
typedef long long loff_t;
typedef int pid_t;
typedef unsigned int id_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int key_t;
typedef char *caddr_t;
typedef int daddr_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
/* Objects of the threads library. What it needs of them is in their first member, by whose name reports know a
   mutex and a condition. */
typedef unsigned long pthread_t;
#if __SIZEOF_POINTER__ == 4
typedef struct { int __held, __rest[5]; } pthread_mutex_t;
typedef struct { int __waiting; long __more[11]; } pthread_cond_t;
typedef struct { int __state; long __more[7]; } pthread_rwlock_t;
typedef struct { int __state; long __more[4]; } pthread_barrier_t;
typedef struct { int __state; long __more[8]; } pthread_attr_t;
#else
typedef struct { _Alignas(long) int __held; int __rest0, __rest[8]; } pthread_mutex_t;
typedef struct { int __waiting; long __more[5]; } pthread_cond_t;
typedef struct { int __state; long __more[6]; } pthread_rwlock_t;
typedef struct { int __state; long __more[3]; } pthread_barrier_t;
typedef struct { int __state; long __more[6]; } pthread_attr_t;
#endif
typedef struct { int __state; } pthread_mutexattr_t;
typedef struct { int __state; } pthread_condattr_t;
typedef struct { int __state; int __more; } pthread_rwlockattr_t;
typedef struct { int __state; } pthread_barrierattr_t;
typedef int pthread_spinlock_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
#endif
