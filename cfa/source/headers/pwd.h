#ifndef __MAGUS_PWD_H
#define __MAGUS_PWD_H
#include <sys/types.h>
struct passwd { char *pw_name, *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos, *pw_dir, *pw_shell; };
extern struct passwd *getpwnam(const char *__name);
extern struct passwd *getpwuid(uid_t __uid);
extern int getpwnam_r(const char *__name, struct passwd *__pwd, char *__buf, size_t __n, struct passwd **__result);
extern int getpwuid_r(uid_t __uid, struct passwd *__pwd, char *__buf, size_t __n, struct passwd **__result);
extern struct passwd *getpwent(void);
extern void setpwent(void);
extern void endpwent(void);
#endif
