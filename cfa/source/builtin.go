package source

// Functions that are built into GCC and that the C library does not declare, and
// operations that it gets otherwise than GCC does.

import (
	"fmt"
	"strings"
)

// builtins are declared after those of the C library. The operations on memory that
// other threads may see are sections, which are nothing where there is one thread.
func builtins() string {
	var b strings.Builder
	for _, s := range [][2]string{{"", "int"}, {"l", "long"}, {"ll", "long long"}} {
		for _, f := range []string{"clz", "ctz", "popcount", "parity"} {
			fmt.Fprintf(&b, "int __builtin_%s%s(unsigned %s);\n", f, s[0], s[1])
		}
		fmt.Fprintf(&b, "int __builtin_ffs%s(%s);\nint __builtin_clrsb%[1]s(%[2]s);\n", s[0], s[1])
		for _, op := range []string{"add", "sub", "mul"} {
			fmt.Fprintf(&b, "_Bool __builtin_s%s%s_overflow(%s, %[3]s, %[3]s *);\n", op, s[0], s[1])
			fmt.Fprintf(&b, "_Bool __builtin_u%s%s_overflow(unsigned %s, unsigned %[3]s, unsigned %[3]s *);\n", op, s[0], s[1])
		}
	}
	for _, op := range []string{"add", "sub", "mul"} {
		fmt.Fprintf(&b, "_Bool __builtin_%s_overflow();\n_Bool __builtin_%[1]s_overflow_p();\n", op)
	}
	b.WriteString(`void *__builtin_assume_aligned(const void *, __SIZE_TYPE__, ...);
long __builtin_expect_with_probability(long, long, double);
void __builtin_trap(void);
void __magus_atomic_begin(void);
void __magus_atomic_end(void);
void __magus_access_begin(void);
void __magus_access_end(void);
_Bool __magus_spurious(void);
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
`)
	return b.String()
}

// atomics are GCC's atomic operations as macros, because their types follow those of
// their arguments. Each argument is evaluated once.
func atomics() string {
	var b strings.Builder
	define := func(name, params, body string) { fmt.Fprintf(&b, "#define %s(%s) %s\n", name, params, body) }
	const pointer, value, old = "typeof(&*(p)) __magus_p = (p); ", "typeof(*__magus_p) __magus_v = (v); ", "typeof(*__magus_p) __magus_old = *__magus_p; "
	const begin, end = "__magus_atomic_begin(); ", "__magus_atomic_end(); "
	// Loads and stores are no fences, but for stores that are sequentially consistent.
	const access, done = "__magus_access_begin(); ", "__magus_access_end(); "
	const load = access + old + done
	const release = access + "*__magus_p = __magus_v; " + done
	const fence = "if ((order) == 5) { " + begin + end + "} (void)0; })"
	const store = release + fence
	for _, op := range [][2]string{{"add", "__magus_old + __magus_v"}, {"sub", "__magus_old - __magus_v"},
		{"or", "__magus_old | __magus_v"},
		{"and", "__magus_old & __magus_v"}, {"xor", "__magus_old ^ __magus_v"}, {"nand", "~(__magus_old & __magus_v)"}} {
		before := "({ " + pointer + value + begin + old + "*__magus_p = " + op[1] + "; " + end + "__magus_old; })"
		after := "({ " + pointer + value + begin + old + "typeof(*__magus_p) __magus_new = " + op[1] +
			"; *__magus_p = __magus_new; " + end + "__magus_new; })"
		define("__sync_fetch_and_"+op[0], "p, v, ...", before)
		define("__sync_"+op[0]+"_and_fetch", "p, v, ...", after)
		define("__atomic_fetch_"+op[0], "p, v, order", before)
		define("__atomic_"+op[0]+"_fetch", "p, v, order", after)
	}
	exchange := "({ " + pointer + value + begin + old + "*__magus_p = __magus_v; " + end + "__magus_old; })"
	define("__sync_lock_test_and_set", "p, v, ...", exchange)
	define("__atomic_exchange_n", "p, v, order", exchange)
	define("__atomic_exchange", "p, vp, rp, order",
		"({ typeof(&*(p)) __magus_p = (p); typeof(*__magus_p) __magus_v = *(vp); "+begin+old+
			"*__magus_p = __magus_v; "+end+"*(rp) = __magus_old; (void)0; })")
	swap := pointer + "typeof(*__magus_p) __magus_e = (e); " + value + begin + old +
		"if (__magus_old == __magus_e) *__magus_p = __magus_v; " + end
	define("__sync_bool_compare_and_swap", "p, e, v, ...", "({ "+swap+"(_Bool)(__magus_old == __magus_e); })")
	define("__sync_val_compare_and_swap", "p, e, v, ...", "({ "+swap+"__magus_old; })")
	// The weak form may fail though both are equal.
	compare := "typeof(&*(ep)) __magus_e = (ep); _Bool __magus_weak = (weak); " + begin +
		"_Bool __magus_is = *__magus_p == *__magus_e && !(__magus_weak && __magus_spurious()); if (__magus_is) *__magus_p = __magus_v; else *__magus_e = *__magus_p; " + end + "__magus_is; })"
	define("__atomic_compare_exchange_n", "p, ep, v, weak, success, failure", "({ "+pointer+value+compare)
	define("__atomic_compare_exchange", "p, ep, vp, weak, success, failure", "({ "+pointer+
		"typeof(*__magus_p) __magus_v = *(vp); "+compare)
	define("__atomic_load_n", "p, order", "({ "+pointer+load+"__magus_old; })")
	define("__atomic_load", "p, rp, order", "({ "+pointer+"typeof(&*(rp)) __magus_r = (rp); "+load+
		"*__magus_r = __magus_old; (void)0; })")
	define("__atomic_store_n", "p, v, order", "({ "+pointer+value+store)
	define("__atomic_store", "p, vp, order", "({ "+pointer+"typeof(*__magus_p) __magus_v = *(vp); "+store)
	define("__sync_lock_release", "p, ...", "({ "+pointer+"typeof(*__magus_p) __magus_v = 0; "+release+"(void)0; })")
	define("__atomic_test_and_set", "p, order", "({ _Bool *__magus_p = (_Bool *)(p); "+begin+
		"_Bool __magus_old = *__magus_p; *__magus_p = 1; "+end+"__magus_old; })")
	define("__atomic_clear", "p, order", "({ _Bool *__magus_p = (_Bool *)(p); _Bool __magus_v = 0; "+store)
	define("__atomic_thread_fence", "order", "({ "+fence)
	define("__atomic_signal_fence", "order", "((void)(order))")
	define("__sync_synchronize", "...", "({ "+begin+end+"(void)0; })")
	for _, name := range []string{"__atomic_always_lock_free", "__atomic_is_lock_free"} {
		define(name, "size, p", "((size) <= sizeof(void *))")
	}
	return b.String()
}
