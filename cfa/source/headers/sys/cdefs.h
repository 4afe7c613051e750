#ifndef __MAGUS_SYS_CDEFS_H
#define __MAGUS_SYS_CDEFS_H
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#define __THROW
#define __CONCAT(a, b) a ## b
#define __STRING(a) #a
#endif
