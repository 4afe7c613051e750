/* assert.h: a failing assertion performs the action error. May be included
   again with another NDEBUG. */
#undef assert
extern void __assert_fail(const char *__assertion, const char *__file, unsigned int __line, const char *__function);
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
