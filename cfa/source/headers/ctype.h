#ifndef __MAGUS_CTYPE_H
#define __MAGUS_CTYPE_H
extern int isalnum(int __c);
extern int isalpha(int __c);
extern int isblank(int __c);
extern int iscntrl(int __c);
extern int isdigit(int __c);
extern int isgraph(int __c);
extern int islower(int __c);
extern int isprint(int __c);
extern int ispunct(int __c);
extern int isspace(int __c);
extern int isupper(int __c);
extern int isxdigit(int __c);
extern int tolower(int __c);
extern int toupper(int __c);
extern int isascii(int __c);
extern int toascii(int __c);
#define _tolower(c) ((c) - 'A' + 'a')
#define _toupper(c) ((c) - 'a' + 'A')
#endif
