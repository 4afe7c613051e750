#ifndef __MAGUS_INTTYPES_H
#define __MAGUS_INTTYPES_H
#include <stdint.h>
#if __SIZEOF_LONG__ == 8
#define __MAGUS_PRI64 "l"
#else
#define __MAGUS_PRI64 "ll"
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __MAGUS_PRI64 "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 __MAGUS_PRI64 "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __MAGUS_PRI64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __MAGUS_PRI64 "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 __MAGUS_PRI64 "X"
#define PRIo32 "o"
#define PRIo64 __MAGUS_PRI64 "o"
#define PRIdMAX PRId64
#define PRIuMAX PRIu64
#define PRIxMAX PRIx64
#define PRIdPTR "ld"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define SCNd32 "d"
#define SCNu32 "u"
#define SCNd64 __MAGUS_PRI64 "d"
#define SCNu64 __MAGUS_PRI64 "u"
extern intmax_t imaxabs(intmax_t __x);
extern intmax_t strtoimax(const char *__s, char **__end, int __base);
extern uintmax_t strtoumax(const char *__s, char **__end, int __base);
#endif
