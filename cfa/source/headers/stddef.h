#ifndef __MAGUS_STDDEF_H
#define __MAGUS_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef struct {
	long long __a;
	long double __b;
#if __SIZEOF_POINTER__ == 4
	char __c[16] __attribute__((aligned(16)));
#endif
} max_align_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
