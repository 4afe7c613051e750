#ifndef __MAGUS_WCTYPE_H
#define __MAGUS_WCTYPE_H
#include <stddef.h>
#ifndef WEOF
#define WEOF (0xffffffffu)
#endif
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
extern int iswalnum(wint_t __c);
extern int iswalpha(wint_t __c);
extern int iswblank(wint_t __c);
extern int iswcntrl(wint_t __c);
extern int iswdigit(wint_t __c);
extern int iswgraph(wint_t __c);
extern int iswlower(wint_t __c);
extern int iswprint(wint_t __c);
extern int iswpunct(wint_t __c);
extern int iswspace(wint_t __c);
extern int iswupper(wint_t __c);
extern int iswxdigit(wint_t __c);
extern wint_t towlower(wint_t __c);
extern wint_t towupper(wint_t __c);
extern wctype_t wctype(const char *__name);
extern int iswctype(wint_t __c, wctype_t __type);
extern wctrans_t wctrans(const char *__name);
extern wint_t towctrans(wint_t __c, wctrans_t __mapping);
#endif
