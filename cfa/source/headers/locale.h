#ifndef __MAGUS_LOCALE_H
#define __MAGUS_LOCALE_H
#include <stddef.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
struct lconv {
	char *decimal_point, *thousands_sep, *grouping;
	char *int_curr_symbol, *currency_symbol, *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
	char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space, p_sign_posn, n_sign_posn;
	char int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space, int_p_sign_posn, int_n_sign_posn;
};
typedef struct __magus_locale *locale_t;
extern char *setlocale(int __category, const char *__locale);
extern struct lconv *localeconv(void);
extern locale_t newlocale(int __mask, const char *__locale, locale_t __base);
extern locale_t uselocale(locale_t __locale);
extern locale_t duplocale(locale_t __locale);
extern void freelocale(locale_t __locale);
#endif
