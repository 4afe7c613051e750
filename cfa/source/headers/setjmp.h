#ifndef __MAGUS_SETJMP_H
#define __MAGUS_SETJMP_H
typedef struct { long __registers[__SIZEOF_POINTER__ == 4 ? 6 : 8]; int __saved; unsigned long __signals[128 / sizeof(long)]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
extern int setjmp(jmp_buf __env);
extern int _setjmp(jmp_buf __env);
extern int sigsetjmp(sigjmp_buf __env, int __save);
extern void longjmp(jmp_buf __env, int __val);
extern void _longjmp(jmp_buf __env, int __val);
extern void siglongjmp(sigjmp_buf __env, int __val);
#define setjmp(env) setjmp(env)
#define sigsetjmp(env, save) sigsetjmp(env, save)
#endif
