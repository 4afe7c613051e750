#ifndef __MAGUS_DIRENT_H
#define __MAGUS_DIRENT_H
#include <sys/types.h>
typedef struct __magus_dir DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
#define d_fileno d_ino
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
extern DIR *opendir(const char *__path);
extern DIR *fdopendir(int __fd);
extern int closedir(DIR *__dir);
extern struct dirent *readdir(DIR *__dir);
extern int readdir_r(DIR *__dir, struct dirent *__entry, struct dirent **__result);
extern void rewinddir(DIR *__dir);
extern void seekdir(DIR *__dir, long __pos);
extern long telldir(DIR *__dir);
extern int dirfd(DIR *__dir);
extern int scandir(const char *__path, struct dirent ***__list, int (*__select)(const struct dirent *), int (*__cmp)(const struct dirent **, const struct dirent **));
extern int alphasort(const struct dirent **__a, const struct dirent **__b);
#define DT_WHT 14
#endif
