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
#define LC_GLOBAL_LOCALE (-1)
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_TIME_MASK 4
#define LC_PAPER 7
#define LC_COLLATE_MASK 8
#define LC_NAME 8
#define LC_ADDRESS 9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12
#define LC_MONETARY_MASK 16
#define LC_MESSAGES_MASK 32
#define LC_PAPER_MASK 128
#define LC_NAME_MASK 0x100
#define LC_ADDRESS_MASK 0x200
#define LC_TELEPHONE_MASK 0x400
#define LC_MEASUREMENT_MASK 0x800
#define LC_IDENTIFICATION_MASK 0x1000
#define LC_ALL_MASK 8127
#endif
