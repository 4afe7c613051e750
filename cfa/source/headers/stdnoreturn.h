#ifndef __MAGUS_STDNORETURN_H
#define __MAGUS_STDNORETURN_H
#define noreturn _Noreturn
#endif
