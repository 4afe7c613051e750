#ifndef __MAGUS_GRP_H
#define __MAGUS_GRP_H
#include <sys/types.h>
struct group { char *gr_name, *gr_passwd; gid_t gr_gid; char **gr_mem; };
extern struct group *getgrnam(const char *__name);
extern struct group *getgrgid(gid_t __gid);
extern int getgrnam_r(const char *__name, struct group *__grp, char *__buf, size_t __n, struct group **__result);
extern int getgrgid_r(gid_t __gid, struct group *__grp, char *__buf, size_t __n, struct group **__result);
extern struct group *getgrent(void);
extern void setgrent(void);
extern void endgrent(void);
extern int setgroups(size_t __n, const gid_t *__list);
extern int initgroups(const char *__user, gid_t __group);
#endif
