#ifndef __MAGUS_UNISTD_H
#define __MAGUS_UNISTD_H
#include <sys/types.h>
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_IOV_MAX 60
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_LOGIN_NAME_MAX 71
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_HOST_NAME_MAX 180
#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#ifndef NULL
#define NULL ((void *)0)
#endif
extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;
extern int access(const char *__path, int __mode);
extern int faccessat(int __dir, const char *__path, int __mode, int __flags);
extern unsigned int alarm(unsigned int __seconds);
extern unsigned int ualarm(useconds_t __value, useconds_t __interval);
extern int brk(void *__addr);
extern void *sbrk(intptr_t __increment);
extern int chdir(const char *__path);
extern int fchdir(int __fd);
extern int chroot(const char *__path);
extern int chown(const char *__path, uid_t __owner, gid_t __group);
extern int fchown(int __fd, uid_t __owner, gid_t __group);
extern int lchown(const char *__path, uid_t __owner, gid_t __group);
extern int fchownat(int __dir, const char *__path, uid_t __owner, gid_t __group, int __flags);
extern int close(int __fd);
extern size_t confstr(int __name, char *__buf, size_t __size);
extern char *crypt(const char *__key, const char *__salt);
extern int daemon(int __nochdir, int __noclose);
extern int dup(int __fd);
extern int dup2(int __old, int __new);
extern int dup3(int __old, int __new, int __flags);
extern int execl(const char *__path, const char *__arg, ...);
extern int execle(const char *__path, const char *__arg, ...);
extern int execlp(const char *__file, const char *__arg, ...);
extern int execv(const char *__path, char *const __argv[]);
extern int execve(const char *__path, char *const __argv[], char *const __envp[]);
extern int execvp(const char *__file, char *const __argv[]);
extern int fexecve(int __fd, char *const __argv[], char *const __envp[]);
extern void _exit(int __status);
extern int fdatasync(int __fd);
extern int fsync(int __fd);
extern void sync(void);
extern pid_t fork(void);
extern pid_t vfork(void);
extern long fpathconf(int __fd, int __name);
extern long pathconf(const char *__path, int __name);
extern int ftruncate(int __fd, off_t __length);
extern int truncate(const char *__path, off_t __length);
extern char *getcwd(char *__buf, size_t __size);
#ifdef _GNU_SOURCE
extern char *get_current_dir_name(void);
#endif
extern int getdtablesize(void);
extern gid_t getegid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern uid_t getuid(void);
extern int getgroups(int __size, gid_t __list[]);
extern long gethostid(void);
extern int gethostname(char *__name, size_t __len);
extern int sethostname(const char *__name, size_t __len);
extern int getdomainname(char *__name, size_t __len);
extern char *getlogin(void);
extern int getlogin_r(char *__name, size_t __len);
extern int getopt(int __argc, char *const __argv[], const char *__options);
extern int getpagesize(void);
extern char *getpass(const char *__prompt);
extern pid_t getpgid(pid_t __pid);
extern pid_t getpgrp(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t getsid(pid_t __pid);
extern pid_t gettid(void);
extern int isatty(int __fd);
extern int link(const char *__old, const char *__new);
extern int linkat(int __olddir, const char *__old, int __newdir, const char *__new, int __flags);
extern int lockf(int __fd, int __command, off_t __size);
extern off_t lseek(int __fd, off_t __offset, int __whence);
extern int nice(int __increment);
extern int pause(void);
extern int pipe(int __fds[2]);
extern int pipe2(int __fds[2], int __flags);
extern ssize_t pread(int __fd, void *__buf, size_t __n, off_t __offset);
extern ssize_t pwrite(int __fd, const void *__buf, size_t __n, off_t __offset);
extern ssize_t read(int __fd, void *__buf, size_t __n);
extern ssize_t write(int __fd, const void *__buf, size_t __n);
extern ssize_t readlink(const char *__path, char *__buf, size_t __n);
extern ssize_t readlinkat(int __dir, const char *__path, char *__buf, size_t __n);
extern int rmdir(const char *__path);
extern int setegid(gid_t __gid);
extern int seteuid(uid_t __uid);
extern int setgid(gid_t __gid);
extern int setuid(uid_t __uid);
extern int setregid(gid_t __own, gid_t __effective);
extern int setreuid(uid_t __own, uid_t __effective);
extern int setpgid(pid_t __pid, pid_t __group);
extern pid_t setsid(void);
extern unsigned int sleep(unsigned int __seconds);
extern int usleep(useconds_t __microseconds);
extern void swab(const void *__from, void *__to, ssize_t __n);
extern int symlink(const char *__old, const char *__new);
extern int symlinkat(const char *__old, int __dir, const char *__new);
extern long syscall(long __number, ...);
extern long sysconf(int __name);
extern pid_t tcgetpgrp(int __fd);
extern int tcsetpgrp(int __fd, pid_t __group);
extern char *ttyname(int __fd);
extern int ttyname_r(int __fd, char *__buf, size_t __n);
extern int unlink(const char *__path);
extern int unlinkat(int __dir, const char *__path, int __flags);
extern int acct(const char *__path);
extern int getentropy(void *__buf, size_t __n);
#define SEEK_DATA 3
#define SEEK_HOLE 4
extern ssize_t pread64(int __fd, void *__buf, size_t __n, off64_t __at);
extern ssize_t pwrite64(int __fd, const void *__buf, size_t __n, off64_t __at);
extern int ftruncate64(int __fd, off64_t __length);
extern int setresuid(uid_t __ruid, uid_t __effective, uid_t __saved);
extern int setresgid(gid_t __ruid, gid_t __effective, gid_t __saved);
extern int getresuid(uid_t *__ruid, uid_t *__effective, uid_t *__saved);
extern int getresgid(gid_t *__ruid, gid_t *__effective, gid_t *__saved);
extern int execvpe(const char *__file, char *const __argv[], char *const __envp[]);
extern void closefrom(int __fd);
extern char *getwd(char *__buf);
extern int eaccess(const char *__path, int __mode);
extern int syncfs(int __fd);
extern int *__errno_location(void);
#define TEMP_FAILURE_RETRY(__x) ({ long __r; do __r = (long)(__x); while (__r == -1 && *__errno_location() == 4); __r; })
#endif
