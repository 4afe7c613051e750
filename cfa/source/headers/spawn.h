#ifndef __MAGUS_SPAWN_H
#define __MAGUS_SPAWN_H
#include <sys/types.h>
#include <signal.h>
typedef struct { int __flags; long __more[41]; } posix_spawnattr_t;
typedef struct { int __used; long __more[9]; } posix_spawn_file_actions_t;
extern int posix_spawn(pid_t *__pid, const char *__path, const posix_spawn_file_actions_t *__actions, const posix_spawnattr_t *__attr, char *const __argv[], char *const __envp[]);
extern int posix_spawnp(pid_t *__pid, const char *__file, const posix_spawn_file_actions_t *__actions, const posix_spawnattr_t *__attr, char *const __argv[], char *const __envp[]);
#endif
