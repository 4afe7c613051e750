#ifndef __MAGUS_SYS_STATVFS_H
#define __MAGUS_SYS_STATVFS_H
#include <sys/types.h>
struct statvfs { unsigned long f_bsize, f_frsize; fsblkcnt_t f_blocks, f_bfree, f_bavail; fsfilcnt_t f_files, f_ffree, f_favail; unsigned long f_fsid;
#if __SIZEOF_POINTER__ == 4
	int __unused;
#endif
	unsigned long f_flag, f_namemax; int __more[6]; };
#define ST_RDONLY 1
#define ST_NOSUID 2
extern int statvfs(const char *__path, struct statvfs *__buf);
extern int fstatvfs(int __fd, struct statvfs *__buf);
#endif
