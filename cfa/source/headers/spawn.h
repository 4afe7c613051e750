#ifndef __MAGUS_SPAWN_H
#define __MAGUS_SPAWN_H
#include <sys/types.h>
#include <signal.h>
typedef struct { int __flags; long __more[336 / sizeof(long) - 1]; } posix_spawnattr_t;
typedef struct { int __used; long __more[__SIZEOF_POINTER__ == 4 ? 18 : 9]; } posix_spawn_file_actions_t;
extern int posix_spawn(pid_t *__pid, const char *__path, const posix_spawn_file_actions_t *__actions, const posix_spawnattr_t *__attr, char *const __argv[], char *const __envp[]);
extern int posix_spawnp(pid_t *__pid, const char *__file, const posix_spawn_file_actions_t *__actions, const posix_spawnattr_t *__attr, char *const __argv[], char *const __envp[]);
#define POSIX_SPAWN_RESETIDS 1
#define POSIX_SPAWN_SETPGROUP 2
#define POSIX_SPAWN_SETSIGDEF 4
#define POSIX_SPAWN_SETSIGMASK 8
#define POSIX_SPAWN_SETSCHEDPARAM 16
#define POSIX_SPAWN_SETSCHEDULER 32
#define POSIX_SPAWN_USEVFORK 64
#define POSIX_SPAWN_SETSID 128
extern int posix_spawnattr_init(posix_spawnattr_t *__attr);
extern int posix_spawnattr_destroy(posix_spawnattr_t *__attr);
extern int posix_spawnattr_getflags(const posix_spawnattr_t *__attr, short *__flags);
extern int posix_spawnattr_setflags(posix_spawnattr_t *__attr, short __flags);
extern int posix_spawnattr_getpgroup(const posix_spawnattr_t *__attr, pid_t *__group);
extern int posix_spawnattr_setpgroup(posix_spawnattr_t *__attr, pid_t __group);
extern int posix_spawnattr_getsigmask(const posix_spawnattr_t *__attr, sigset_t *__mask);
extern int posix_spawnattr_setsigmask(posix_spawnattr_t *__attr, const sigset_t *__mask);
extern int posix_spawnattr_getsigdefault(const posix_spawnattr_t *__attr, sigset_t *__set);
extern int posix_spawnattr_setsigdefault(posix_spawnattr_t *__attr, const sigset_t *__set);
extern int posix_spawn_file_actions_init(posix_spawn_file_actions_t *__actions);
extern int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *__actions);
extern int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *__actions, int __fd, const char *__path, int __flags, mode_t __mode);
extern int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *__actions, int __fd);
extern int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *__actions, int __fd, int __new);
#endif
