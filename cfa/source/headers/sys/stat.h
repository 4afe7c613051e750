#ifndef __MAGUS_SYS_STAT_H
#define __MAGUS_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
struct stat {
	dev_t st_dev;
#if __SIZEOF_POINTER__ == 4
	unsigned short __after_dev;
	ino_t st_ino;
	mode_t st_mode;
	nlink_t st_nlink;
	uid_t st_uid;
	gid_t st_gid;
	dev_t st_rdev;
	unsigned short __after_rdev;
#else
	ino_t st_ino;
	nlink_t st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	dev_t st_rdev;
#endif
	off_t st_size;
	blksize_t st_blksize;
	blkcnt_t st_blocks;
	struct timespec st_atim, st_mtim, st_ctim;
	long __more[__SIZEOF_POINTER__ == 4 ? 2 : 3];
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_ISREG(m) (((m) & S_IFMT) == S_IFREG)
#define S_ISDIR(m) (((m) & S_IFMT) == S_IFDIR)
#define S_ISCHR(m) (((m) & S_IFMT) == S_IFCHR)
#define S_ISBLK(m) (((m) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(m) (((m) & S_IFMT) == S_IFIFO)
#define S_ISLNK(m) (((m) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(m) (((m) & S_IFMT) == S_IFSOCK)
#define UTIME_NOW 0x3fffffff
#define UTIME_OMIT 0x3ffffffe
extern int stat(const char *__path, struct stat *__buf);
extern int fstat(int __fd, struct stat *__buf);
extern int lstat(const char *__path, struct stat *__buf);
extern int fstatat(int __dir, const char *__path, struct stat *__buf, int __flags);
extern int chmod(const char *__path, mode_t __mode);
extern int fchmod(int __fd, mode_t __mode);
extern int fchmodat(int __dir, const char *__path, mode_t __mode, int __flags);
extern mode_t umask(mode_t __mask);
extern int mkdir(const char *__path, mode_t __mode);
extern int mkdirat(int __dir, const char *__path, mode_t __mode);
extern int mkfifo(const char *__path, mode_t __mode);
extern int mknod(const char *__path, mode_t __mode, dev_t __dev);
extern int utimensat(int __dir, const char *__path, const struct timespec __times[2], int __flags);
extern int futimens(int __fd, const struct timespec __times[2]);
#define S_IEXEC 64
#define S_IWRITE 128
#define S_IREAD 0x100
#define DEFFILEMODE 438
#define ACCESSPERMS 511
#define S_BLKSIZE 0x200
#define ALLPERMS 4095
#endif
