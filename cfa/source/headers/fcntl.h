#ifndef __MAGUS_FCNTL_H
#define __MAGUS_FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_ASYNC 020000
#define O_DIRECT 040000
#if __SIZEOF_LONG__ == 8
#define O_LARGEFILE 0
#else
#define O_LARGEFILE 0100000
#endif
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_NOATIME 01000000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define O_RSYNC O_SYNC
#define O_PATH 010000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC 1
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_EACCESS 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
struct flock { short l_type, l_whence; off_t l_start, l_len; pid_t l_pid; };
extern int open(const char *__path, int __flags, ...);
extern int openat(int __dir, const char *__path, int __flags, ...);
extern int creat(const char *__path, mode_t __mode);
extern int fcntl(int __fd, int __command, ...);
extern int posix_fadvise(int __fd, off_t __offset, off_t __len, int __advice);
extern int posix_fallocate(int __fd, off_t __offset, off_t __len);
extern int fallocate(int __fd, int __mode, off_t __offset, off_t __len);
#define AT_STATX_SYNC_AS_STAT 0
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_EXLCK 4
#define F_SEAL_GROW 4
#if __SIZEOF_POINTER__ == 4
#define F_GETLK64 12
#define F_SETLK64 13
#define F_SETLKW64 14
#else
#define F_GETLK64 5
#define F_SETLK64 6
#define F_SETLKW64 7
#endif
#define F_SEAL_WRITE 8
#define F_SHLCK 8
#define F_SETSIG 10
#define F_GETSIG 11
#define F_SETOWN_EX 15
#define F_GETOWN_EX 16
#define F_SEAL_FUTURE_WRITE 16
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define F_SETLEASE 0x400
#define F_GETLEASE 0x401
#define F_NOTIFY 0x402
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 0x408
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_GET_RW_HINT 1035
#define F_SET_RW_HINT 1036
#define F_GET_FILE_RW_HINT 1037
#define F_SET_FILE_RW_HINT 1038
#define AT_NO_AUTOMOUNT 0x800
#define AT_EMPTY_PATH 0x1000
#define AT_STATX_FORCE_SYNC 0x2000
#define AT_STATX_DONT_SYNC 0x4000
#define AT_STATX_SYNC_TYPE 0x6000
#define AT_RECURSIVE 0x8000
#define O_FSYNC 0x101000
#define O_TMPFILE 0x410000
#endif
