#ifndef __MAGUS_SIGNAL_H
#define __MAGUS_SIGNAL_H
#include <sys/types.h>
#include <time.h>
typedef int sig_atomic_t;
typedef void (*__magus_handler)(int);
typedef __magus_handler sighandler_t;
typedef __magus_handler __sighandler_t;
#define SIG_DFL ((__magus_handler)0)
#define SIG_IGN ((__magus_handler)1)
#define SIG_ERR ((__magus_handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65
#define SIGRTMIN 34
#define SIGRTMAX 64
typedef struct { unsigned long __bits[1024 / (8 * sizeof(long))]; } sigset_t;
typedef union sigval { int sival_int; void *sival_ptr; } sigval_t;
typedef struct {
	int si_signo, si_errno, si_code;
	union {
		struct {
			pid_t si_pid;
			uid_t si_uid;
			union {
				int si_status;
				union sigval si_value;
			};
		};
		void *si_addr;
		long si_band;
		long __more[(128 - (__SIZEOF_POINTER__ == 4 ? 12 : 16)) / sizeof(long)];
	};
} siginfo_t;
struct sigaction {
	union { void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); } __handler;
	sigset_t sa_mask;
	int sa_flags;
	void (*sa_restorer)(void);
};
#define sa_handler __handler.sa_handler
#define sa_sigaction __handler.sa_sigaction
struct sigevent {
	union sigval sigev_value;
	int sigev_signo, sigev_notify;
	void (*sigev_notify_function)(union sigval);
	pthread_attr_t *sigev_notify_attributes;
	long __more[__SIZEOF_POINTER__ == 4 ? 11 : 4];
};
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048 /* a system may ask for more */
#define SIGSTKSZ 8192
#define SI_USER 0
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
extern __magus_handler signal(int __sig, __magus_handler __handler);
extern int raise(int __sig);
extern int kill(pid_t __pid, int __sig);
extern int killpg(pid_t __group, int __sig);
extern int sigaction(int __sig, const struct sigaction *__act, struct sigaction *__old);
extern int sigemptyset(sigset_t *__set);
extern int sigfillset(sigset_t *__set);
extern int sigaddset(sigset_t *__set, int __sig);
extern int sigdelset(sigset_t *__set, int __sig);
extern int sigismember(const sigset_t *__set, int __sig);
extern int sigprocmask(int __how, const sigset_t *__set, sigset_t *__old);
extern int sigpending(sigset_t *__set);
extern int sigsuspend(const sigset_t *__set);
extern int sigwait(const sigset_t *__set, int *__sig);
extern int sigwaitinfo(const sigset_t *__set, siginfo_t *__info);
extern int sigtimedwait(const sigset_t *__set, siginfo_t *__info, const struct timespec *__timeout);
extern int sigqueue(pid_t __pid, int __sig, const union sigval __value);
extern int sigaltstack(const stack_t *__stack, stack_t *__old);
extern int siginterrupt(int __sig, int __flag);
extern int pthread_kill(pthread_t __id, int __sig);
extern int pthread_sigmask(int __how, const sigset_t *__set, sigset_t *__old);
extern void psignal(int __sig, const char *__s);
extern int sighold(int __sig);
extern int sigrelse(int __sig);
extern int sigignore(int __sig);
extern int sigpause(int __sig);
extern void (*sigset(int __sig, void (*__handler)(int)))(int);
extern void psiginfo(const siginfo_t *__info, const char *__s);
extern int sigisemptyset(const sigset_t *__set);
#endif
