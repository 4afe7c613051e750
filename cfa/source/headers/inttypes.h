#ifndef __MAGUS_INTTYPES_H
#define __MAGUS_INTTYPES_H
#include <stdint.h>
#if __SIZEOF_LONG__ == 8
#define __MAGUS_PRI64 "l"
#define __MAGUS_PRIPTR "l"
#else
#define __MAGUS_PRI64 "ll"
#define __MAGUS_PRIPTR ""
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __MAGUS_PRI64 "d"
#define PRIdMAX __MAGUS_PRI64 "d"
#define PRIdPTR __MAGUS_PRIPTR "d"
#define PRIdLEAST8 PRId8
#define PRIdFAST8 "d"
#define PRIdLEAST16 PRId16
#define PRIdFAST16 __MAGUS_PRIPTR "d"
#define PRIdLEAST32 PRId32
#define PRIdFAST32 __MAGUS_PRIPTR "d"
#define PRIdLEAST64 PRId64
#define PRIdFAST64 __MAGUS_PRI64 "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 __MAGUS_PRI64 "i"
#define PRIiMAX __MAGUS_PRI64 "i"
#define PRIiPTR __MAGUS_PRIPTR "i"
#define PRIiLEAST8 PRIi8
#define PRIiFAST8 "i"
#define PRIiLEAST16 PRIi16
#define PRIiFAST16 __MAGUS_PRIPTR "i"
#define PRIiLEAST32 PRIi32
#define PRIiFAST32 __MAGUS_PRIPTR "i"
#define PRIiLEAST64 PRIi64
#define PRIiFAST64 __MAGUS_PRI64 "i"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 __MAGUS_PRI64 "o"
#define PRIoMAX __MAGUS_PRI64 "o"
#define PRIoPTR __MAGUS_PRIPTR "o"
#define PRIoLEAST8 PRIo8
#define PRIoFAST8 "o"
#define PRIoLEAST16 PRIo16
#define PRIoFAST16 __MAGUS_PRIPTR "o"
#define PRIoLEAST32 PRIo32
#define PRIoFAST32 __MAGUS_PRIPTR "o"
#define PRIoLEAST64 PRIo64
#define PRIoFAST64 __MAGUS_PRI64 "o"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __MAGUS_PRI64 "u"
#define PRIuMAX __MAGUS_PRI64 "u"
#define PRIuPTR __MAGUS_PRIPTR "u"
#define PRIuLEAST8 PRIu8
#define PRIuFAST8 "u"
#define PRIuLEAST16 PRIu16
#define PRIuFAST16 __MAGUS_PRIPTR "u"
#define PRIuLEAST32 PRIu32
#define PRIuFAST32 __MAGUS_PRIPTR "u"
#define PRIuLEAST64 PRIu64
#define PRIuFAST64 __MAGUS_PRI64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __MAGUS_PRI64 "x"
#define PRIxMAX __MAGUS_PRI64 "x"
#define PRIxPTR __MAGUS_PRIPTR "x"
#define PRIxLEAST8 PRIx8
#define PRIxFAST8 "x"
#define PRIxLEAST16 PRIx16
#define PRIxFAST16 __MAGUS_PRIPTR "x"
#define PRIxLEAST32 PRIx32
#define PRIxFAST32 __MAGUS_PRIPTR "x"
#define PRIxLEAST64 PRIx64
#define PRIxFAST64 __MAGUS_PRI64 "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 __MAGUS_PRI64 "X"
#define PRIXMAX __MAGUS_PRI64 "X"
#define PRIXPTR __MAGUS_PRIPTR "X"
#define PRIXLEAST8 PRIX8
#define PRIXFAST8 "X"
#define PRIXLEAST16 PRIX16
#define PRIXFAST16 __MAGUS_PRIPTR "X"
#define PRIXLEAST32 PRIX32
#define PRIXFAST32 __MAGUS_PRIPTR "X"
#define PRIXLEAST64 PRIX64
#define PRIXFAST64 __MAGUS_PRI64 "X"
#define SCNd8 "hh" "d"
#define SCNd16 "h" "d"
#define SCNd32 "d"
#define SCNd64 __MAGUS_PRI64 "d"
#define SCNdMAX __MAGUS_PRI64 "d"
#define SCNdPTR __MAGUS_PRIPTR "d"
#define SCNdLEAST8 SCNd8
#define SCNdFAST8 "hh" "d"
#define SCNdLEAST16 SCNd16
#define SCNdFAST16 __MAGUS_PRIPTR "d"
#define SCNdLEAST32 SCNd32
#define SCNdFAST32 __MAGUS_PRIPTR "d"
#define SCNdLEAST64 SCNd64
#define SCNdFAST64 __MAGUS_PRI64 "d"
#define SCNi8 "hh" "i"
#define SCNi16 "h" "i"
#define SCNi32 "i"
#define SCNi64 __MAGUS_PRI64 "i"
#define SCNiMAX __MAGUS_PRI64 "i"
#define SCNiPTR __MAGUS_PRIPTR "i"
#define SCNiLEAST8 SCNi8
#define SCNiFAST8 "hh" "i"
#define SCNiLEAST16 SCNi16
#define SCNiFAST16 __MAGUS_PRIPTR "i"
#define SCNiLEAST32 SCNi32
#define SCNiFAST32 __MAGUS_PRIPTR "i"
#define SCNiLEAST64 SCNi64
#define SCNiFAST64 __MAGUS_PRI64 "i"
#define SCNo8 "hh" "o"
#define SCNo16 "h" "o"
#define SCNo32 "o"
#define SCNo64 __MAGUS_PRI64 "o"
#define SCNoMAX __MAGUS_PRI64 "o"
#define SCNoPTR __MAGUS_PRIPTR "o"
#define SCNoLEAST8 SCNo8
#define SCNoFAST8 "hh" "o"
#define SCNoLEAST16 SCNo16
#define SCNoFAST16 __MAGUS_PRIPTR "o"
#define SCNoLEAST32 SCNo32
#define SCNoFAST32 __MAGUS_PRIPTR "o"
#define SCNoLEAST64 SCNo64
#define SCNoFAST64 __MAGUS_PRI64 "o"
#define SCNu8 "hh" "u"
#define SCNu16 "h" "u"
#define SCNu32 "u"
#define SCNu64 __MAGUS_PRI64 "u"
#define SCNuMAX __MAGUS_PRI64 "u"
#define SCNuPTR __MAGUS_PRIPTR "u"
#define SCNuLEAST8 SCNu8
#define SCNuFAST8 "hh" "u"
#define SCNuLEAST16 SCNu16
#define SCNuFAST16 __MAGUS_PRIPTR "u"
#define SCNuLEAST32 SCNu32
#define SCNuFAST32 __MAGUS_PRIPTR "u"
#define SCNuLEAST64 SCNu64
#define SCNuFAST64 __MAGUS_PRI64 "u"
#define SCNx8 "hh" "x"
#define SCNx16 "h" "x"
#define SCNx32 "x"
#define SCNx64 __MAGUS_PRI64 "x"
#define SCNxMAX __MAGUS_PRI64 "x"
#define SCNxPTR __MAGUS_PRIPTR "x"
#define SCNxLEAST8 SCNx8
#define SCNxFAST8 "hh" "x"
#define SCNxLEAST16 SCNx16
#define SCNxFAST16 __MAGUS_PRIPTR "x"
#define SCNxLEAST32 SCNx32
#define SCNxFAST32 __MAGUS_PRIPTR "x"
#define SCNxLEAST64 SCNx64
#define SCNxFAST64 __MAGUS_PRI64 "x"
typedef struct { intmax_t quot, rem; } imaxdiv_t;
extern intmax_t imaxabs(intmax_t __x);
extern imaxdiv_t imaxdiv(intmax_t __numer, intmax_t __denom);
extern intmax_t strtoimax(const char *__s, char **__end, int __base);
extern uintmax_t strtoumax(const char *__s, char **__end, int __base);
extern intmax_t wcstoimax(const __WCHAR_TYPE__ *__s, __WCHAR_TYPE__ **__end, int __base);
extern uintmax_t wcstoumax(const __WCHAR_TYPE__ *__s, __WCHAR_TYPE__ **__end, int __base);
#endif
