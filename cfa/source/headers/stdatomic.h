#ifndef __MAGUS_STDATOMIC_H
#define __MAGUS_STDATOMIC_H
/* Operations that read and write are sections, which are nothing where there is one thread. */
extern void __magus_atomic_begin(void), __magus_atomic_end(void), __magus_pointer_moves(void);
/* C11 moves atomic pointers by elements, and the macros of GCC by bytes. */
#define __magus_number(x) if (__builtin_classify_type(x) == 5) __magus_pointer_moves()
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>
typedef enum {
	memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst
} memory_order;
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define ATOMIC_VAR_INIT(value) (value)
#define kill_dependency(x) (x)
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(char16_t) atomic_char16_t;
typedef _Atomic(char32_t) atomic_char32_t;
typedef _Atomic(wchar_t) atomic_wchar_t;
typedef _Atomic(int_least8_t) atomic_int_least8_t;
typedef _Atomic(uint_least8_t) atomic_uint_least8_t;
typedef _Atomic(int_least16_t) atomic_int_least16_t;
typedef _Atomic(uint_least16_t) atomic_uint_least16_t;
typedef _Atomic(int_least32_t) atomic_int_least32_t;
typedef _Atomic(uint_least32_t) atomic_uint_least32_t;
typedef _Atomic(int_least64_t) atomic_int_least64_t;
typedef _Atomic(uint_least64_t) atomic_uint_least64_t;
typedef _Atomic(int_fast8_t) atomic_int_fast8_t;
typedef _Atomic(uint_fast8_t) atomic_uint_fast8_t;
typedef _Atomic(int_fast16_t) atomic_int_fast16_t;
typedef _Atomic(uint_fast16_t) atomic_uint_fast16_t;
typedef _Atomic(int_fast32_t) atomic_int_fast32_t;
typedef _Atomic(uint_fast32_t) atomic_uint_fast32_t;
typedef _Atomic(int_fast64_t) atomic_int_fast64_t;
typedef _Atomic(uint_fast64_t) atomic_uint_fast64_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;
typedef struct { _Bool __set; } atomic_flag;
#define ATOMIC_FLAG_INIT {0}
/* No atomic operation (C11 7.17.2.2): a copy. */
#define atomic_init(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p), __magus_v = (v); (void)__builtin_memcpy((void *)__magus_p, &__magus_v, sizeof __magus_v); }))
#define atomic_is_lock_free(p) ((void)(p), 1)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) ((void)(order))
#define atomic_load(p) __atomic_load_n(p, 5)
#define atomic_load_explicit(p, order) __atomic_load_n(p, order)
#define atomic_store(p, v) __atomic_store_n(p, v, 5)
#define atomic_store_explicit(p, v, order) __atomic_store_n(p, v, order)
#define atomic_exchange(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p), __magus_v = (v); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_exchange_explicit(p, v, order) ((void)(order), atomic_exchange(p, v))
#define atomic_compare_exchange_strong(p, e, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p), *__magus_e = (void *)(e), __magus_v = (v); __magus_atomic_begin(); \
	_Bool __magus_same = *__magus_p == *__magus_e; if (__magus_same) *__magus_p = __magus_v; else *__magus_e = *__magus_p; __magus_atomic_end(); __magus_same; }))
#define atomic_compare_exchange_strong_explicit(p, e, v, success, failure) ((void)(success), (void)(failure), atomic_compare_exchange_strong(p, e, v))
/* The weak form may fail for no reason. */
#define atomic_compare_exchange_weak(p, e, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p), *__magus_e = (void *)(e), __magus_v = (v); __magus_atomic_begin(); \
	_Bool __magus_same = *__magus_p == *__magus_e && !__magus_spurious(); if (__magus_same) *__magus_p = __magus_v; else *__magus_e = *__magus_p; __magus_atomic_end(); __magus_same; }))
#define atomic_compare_exchange_weak_explicit(p, e, v, success, failure) ((void)(success), (void)(failure), atomic_compare_exchange_weak(p, e, v))
#define atomic_fetch_add(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p); __typeof__((v) + 0) __magus_v = (v); __magus_number(*__magus_p); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_o + __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_fetch_add_explicit(p, v, order) ((void)(order), atomic_fetch_add(p, v))
#define atomic_fetch_sub(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p); __typeof__((v) + 0) __magus_v = (v); __magus_number(*__magus_p); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_o - __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_fetch_sub_explicit(p, v, order) ((void)(order), atomic_fetch_sub(p, v))
#define atomic_fetch_or(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p); __typeof__((v) + 0) __magus_v = (v); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_o | __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_fetch_or_explicit(p, v, order) ((void)(order), atomic_fetch_or(p, v))
#define atomic_fetch_and(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p); __typeof__((v) + 0) __magus_v = (v); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_o & __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_fetch_and_explicit(p, v, order) ((void)(order), atomic_fetch_and(p, v))
#define atomic_fetch_xor(p, v) (__extension__({ __typeof__(*(p)) *__magus_p = (p); __typeof__((v) + 0) __magus_v = (v); __magus_atomic_begin(); \
	__typeof__(*(p)) __magus_o = *__magus_p; *__magus_p = __magus_o ^ __magus_v; __magus_atomic_end(); __magus_o; }))
#define atomic_fetch_xor_explicit(p, v, order) ((void)(order), atomic_fetch_xor(p, v))
#define atomic_flag_test_and_set(p) (__extension__({ atomic_flag *__magus_p = (void *)(p); __magus_atomic_begin(); \
	_Bool __magus_o = __magus_p->__set; __magus_p->__set = 1; __magus_atomic_end(); __magus_o; }))
#define atomic_flag_test_and_set_explicit(p, order) ((void)(order), atomic_flag_test_and_set(p))
#define atomic_flag_clear(p) __atomic_store_n(&(p)->__set, 0, 5)
#define atomic_flag_clear_explicit(p, order) __atomic_store_n(&(p)->__set, 0, order)
#endif
