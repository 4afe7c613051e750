package builtin

// What follows the types of arguments: atomic operations, and a few others, as macros. Each argument is evaluated once.
//
// Idea: an operation that reads and writes is a section, which is nothing where there is one thread. What
// it computes is __magus_plus(a, b) and its like (package lower), which has the type of a: of a pointer GCC's
// operations count bytes. Clang's __c11_atomic_ operations count elements, as C's + does.

import (
	"fmt"
	"strings"
)

// macros are lines of #define.
type macros struct{ strings.Builder }

func (m *macros) define(name, params, body string) {
	fmt.Fprintf(m, "#define %s(%s) %s\n", name, params, body)
}

// Parts of bodies. A load, and a store that is not sequentially consistent, is one access; a release comes behind
// what was written before.
const (
	pointer = "typeof(&*(p)) __magus_p = (p); "
	value   = "typeof(*__magus_p) __magus_v = (v); "
	operand = "typeof((v) + 0) __magus_v = (v); "
	old     = "typeof(*__magus_p) __magus_old = *__magus_p; "
	begin   = "__magus_atomic_begin(); "
	end     = "__magus_atomic_end(); "
	done    = "__magus_access_end(); "
	load    = "__magus_access_begin(); " + old + done
	write   = "*__magus_p = __magus_v; " + done
	release = "__magus_release_begin(); " + write
	// as an order that may be no constant says
	ordered = "int __magus_order = (order); if (__magus_order >= 3) { " + release +
		"} else { __magus_access_begin(); " + write + "} "
	fence = "if (__magus_order == 5) { " + begin + end + "} (void)0; })"
	store = ordered + fence
)

// operations are the names of what is computed, with what GCC makes of an old value and an operand.
func operations() [][2]string {
	return [][2]string{{"add", "plus"}, {"sub", "minus"}, {"or", "or"}, {"and", "and"}, {"xor", "xor"}, {"nand", "nand"},
		{"max", "max"}, {"min", "min"}}
}

// Macros are the definitions of all operations whose types follow those of their arguments.
func Macros() string {
	m := &macros{}
	m.computing()
	m.exchanging()
	m.accessing()
	m.sized()
	m.c11()
	m.others()
	return m.String()
}

// computing defines the operations that compute something from what is there.
func (m *macros) computing() {
	for _, op := range operations() {
		computed := "(typeof(*__magus_p))__magus_" + op[1] + "(__magus_old, __magus_v)"
		before := "({ " + pointer + operand + begin + old + "*__magus_p = " + computed + "; " + end + "__magus_old; })"
		after := "({ " + pointer + operand + begin + old + "typeof(*__magus_p) __magus_new = " + computed +
			"; *__magus_p = __magus_new; " + end + "__magus_new; })"
		m.define("__sync_fetch_and_"+op[0], "p, v, ...", before)
		m.define("__sync_"+op[0]+"_and_fetch", "p, v, ...", after)
		m.define("__atomic_fetch_"+op[0], "p, v, order", before)
		m.define("__atomic_"+op[0]+"_fetch", "p, v, order", after)
	}
	m.define("__sync_fetch_and_umax", "p, v, ...", "__sync_fetch_and_max(p, v)")
	m.define("__sync_fetch_and_umin", "p, v, ...", "__sync_fetch_and_min(p, v)")
}

// exchanging defines exchanges, and those that compare.
func (m *macros) exchanging() {
	exchange := "({ " + pointer + value + begin + old + "*__magus_p = __magus_v; " + end + "__magus_old; })"
	m.define("__sync_lock_test_and_set", "p, v, ...", exchange)
	m.define("__sync_swap", "p, v, ...", exchange)
	m.define("__atomic_exchange_n", "p, v, order", exchange)
	m.define("__atomic_exchange", "p, vp, rp, order",
		"({ typeof(&*(p)) __magus_p = (p); typeof(*__magus_p) __magus_v = *(vp); "+begin+old+
			"*__magus_p = __magus_v; "+end+"*(rp) = __magus_old; (void)0; })")
	swap := pointer + "typeof(*__magus_p) __magus_e = (e); " + value + begin + old +
		"if (__magus_old == __magus_e) *__magus_p = __magus_v; " + end
	m.define("__sync_bool_compare_and_swap", "p, e, v, ...", "({ "+swap+"(_Bool)(__magus_old == __magus_e); })")
	m.define("__sync_val_compare_and_swap", "p, e, v, ...", "({ "+swap+"__magus_old; })")
	// The weak form may fail though both are equal.
	compare := "typeof(&*(ep)) __magus_e = (ep); _Bool __magus_weak = (weak); " + begin +
		"_Bool __magus_is = *__magus_p == *__magus_e && !(__magus_weak && __magus_spurious()); " +
		"if (__magus_is) *__magus_p = __magus_v; else *__magus_e = *__magus_p; " + end + "__magus_is; })"
	m.define("__atomic_compare_exchange_n", "p, ep, v, weak, success, failure", "({ "+pointer+value+compare)
	m.define("__atomic_compare_exchange", "p, ep, vp, weak, success, failure", "({ "+pointer+
		"typeof(*__magus_p) __magus_v = *(vp); "+compare)
}

// accessing defines loads, stores and fences.
func (m *macros) accessing() {
	m.define("__atomic_load_n", "p, order", "({ "+pointer+load+"__magus_old; })")
	m.define("__atomic_load", "p, rp, order", "({ "+pointer+"typeof(&*(rp)) __magus_r = (rp); "+load+
		"*__magus_r = __magus_old; (void)0; })")
	m.define("__atomic_store_n", "p, v, order", "({ "+pointer+value+store)
	m.define("__atomic_store", "p, vp, order", "({ "+pointer+"typeof(*__magus_p) __magus_v = *(vp); "+store)
	m.define("__sync_lock_release", "p, ...", "({ "+pointer+"typeof(*__magus_p) __magus_v = 0; "+release+"(void)0; })")
	m.define("__atomic_test_and_set", "p, order", "({ unsigned char *__magus_p = (unsigned char *)(p); "+begin+
		"unsigned char __magus_old = *__magus_p; *__magus_p = 1; "+end+"(_Bool)(__magus_old != 0); })")
	m.define("__atomic_clear", "p, order",
		"({ unsigned char *__magus_p = (unsigned char *)(p); unsigned char __magus_v = 0; "+store)
	m.define("__atomic_thread_fence", "order",
		"({ int __magus_order = (order); if (__magus_order == 3 || __magus_order == 4) { "+
			"__magus_release_begin(); "+done+"} "+fence)
	m.define("__atomic_signal_fence", "order", "((void)(order))")
	m.define("__sync_synchronize", "...", "({ "+begin+end+"(void)0; })")
	for _, name := range []string{"__atomic_always_lock_free", "__atomic_is_lock_free"} {
		m.define(name, "size, p", "((size) <= sizeof(void *))")
	}
}

// sized defines those whose names end in a number of bytes.
func (m *macros) sized() {
	for bytes := 1; bytes <= 8; bytes *= 2 {
		t := fmt.Sprintf("(__UINT%d_TYPE__ *)", 8*bytes)
		sized := func(name, params, args string) {
			m.define(fmt.Sprintf("%s_%d", name, bytes), params, name+"("+t+"(p)"+args+")")
		}
		for _, op := range operations()[:6] {
			sized("__sync_fetch_and_"+op[0], "p, v, ...", ", v")
			sized("__sync_"+op[0]+"_and_fetch", "p, v, ...", ", v")
			sized("__atomic_fetch_"+op[0], "p, v, order", ", v, order")
			sized("__atomic_"+op[0]+"_fetch", "p, v, order", ", v, order")
		}
		sized("__sync_bool_compare_and_swap", "p, e, v, ...", ", e, v")
		sized("__sync_val_compare_and_swap", "p, e, v, ...", ", e, v")
		sized("__sync_lock_test_and_set", "p, v, ...", ", v")
		sized("__sync_lock_release", "p, ...", "")
		for _, op := range [][2]string{{"load", "order"}, {"store", "v, order"}, {"exchange", "v, order"}} {
			m.define(fmt.Sprintf("__atomic_%s_%d", op[0], bytes), "p, "+op[1], "__atomic_"+op[0]+"_n("+t+"(p), "+op[1]+")")
		}
		m.define(fmt.Sprintf("__atomic_compare_exchange_%d", bytes), "p, ep, v, weak, success, failure",
			"__atomic_compare_exchange_n("+t+"(p), "+t+"(ep), v, weak, success, failure)")
	}
}

// c11 defines those of clang, which stdatomic.h is made of there.
func (m *macros) c11() {
	const prefix = "__c11_atomic_"
	m.define(prefix+"init", "p, v", "({ "+pointer+value+
		"(void)__builtin_memcpy((void *)__magus_p, &__magus_v, sizeof __magus_v); })")
	m.define(prefix+"load", "p, order", "__atomic_load_n(p, order)")
	m.define(prefix+"store", "p, v, order", "__atomic_store_n(p, v, order)")
	m.define(prefix+"exchange", "p, v, order", "__atomic_exchange_n(p, v, order)")
	for i, strength := range []string{"strong", "weak"} {
		m.define(prefix+"compare_exchange_"+strength, "p, ep, v, success, failure",
			fmt.Sprintf("__atomic_compare_exchange_n(p, ep, v, %d, success, failure)", i))
	}
	for _, op := range operations()[2:] {
		m.define(prefix+"fetch_"+op[0], "p, v, order", "__atomic_fetch_"+op[0]+"(p, v, order)")
	}
	for _, op := range [][2]string{{"add", "+"}, {"sub", "-"}} {
		m.define(prefix+"fetch_"+op[0], "p, v, order", "({ "+pointer+operand+begin+old+
			"*__magus_p = __magus_old "+op[1]+" __magus_v; "+end+"__magus_old; })")
	}
	m.define(prefix+"thread_fence", "order", "__atomic_thread_fence(order)")
	m.define(prefix+"signal_fence", "order", "((void)(order))")
	m.define(prefix+"is_lock_free", "size", "((size) <= sizeof(void *))")
}

// others defines what has the type of an argument besides, and what is checked before it is copied.
func (m *macros) others() {
	m.define(Prefix+"speculation_safe_value", "v, ...", "(v)")
	m.define(Prefix+"annotation", "v, text", "(v)")
	m.define(Prefix+"nondeterministic_value", "v", "((typeof((v) + 0))__magus_any(v))")
	m.define(Prefix+"is_aligned", "x, to", "((_Bool)__magus_is_aligned(x, to))")
	m.define(Prefix+"align_up", "x, to", "((typeof((x) + 0))__magus_align_up(x, to))")
	m.define(Prefix+"align_down", "x, to", "((typeof((x) + 0))__magus_align_down(x, to))")
	m.define(Prefix+"FUNCTION", "", "__func__")
	m.define(Prefix+"alloca_with_align", "n, align", "__builtin_alloca(n)")
	m.define(Prefix+"memcpy_inline", "to, from, n", "((void)__builtin_memcpy(to, from, n))")
	m.define(Prefix+"memset_inline", "to, c, n", "((void)__builtin_memset(to, c, n))")
	m.define(Prefix+"mempcpy", "to, from, n",
		"({ __SIZE_TYPE__ __magus_n = (n); (void *)((char *)__builtin_memcpy(to, from, __magus_n) + __magus_n); })")
	m.define(Prefix+"bcmp", "a, b, n", "__builtin_memcmp(a, b, n)")
	m.define(Prefix+"bcopy", "from, to, n", "((void)__builtin_memmove(to, from, n))")
	m.define(Prefix+"bzero", "p, n", "((void)__builtin_memset(p, 0, n))")
	m.define(Prefix+"index", "s, c", "__builtin_strchr(s, c)")
	m.define(Prefix+"rindex", "s, c", "__builtin_strrchr(s, c)")
	m.define(Prefix+"imaxabs", "n", "__builtin_llabs(n)")
	const bytes = "__SIZE_TYPE__ __magus_n = (n); if (__magus_n > (room)) __builtin_trap(); "
	m.define(Prefix+"__memcpy_chk", "to, from, n, room", "({ "+bytes+"__builtin_memcpy(to, from, __magus_n); })")
	m.define(Prefix+"__memmove_chk", "to, from, n, room", "({ "+bytes+"__builtin_memmove(to, from, __magus_n); })")
	m.define(Prefix+"__memset_chk", "to, c, n, room", "({ "+bytes+"__builtin_memset(to, c, __magus_n); })")
	m.define(Prefix+"__strncpy_chk", "to, from, n, room", "({ "+bytes+"__builtin_strncpy(to, from, __magus_n); })")
	const text = "const char *__magus_from = (from); "
	m.define(Prefix+"__strcpy_chk", "to, from, room", "({ "+text+
		"if (__builtin_strlen(__magus_from) >= (room)) __builtin_trap(); __builtin_strcpy(to, __magus_from); })")
	m.define(Prefix+"__strcat_chk", "to, from, room", "({ char *__magus_to = (to); "+text+
		"if (__builtin_strlen(__magus_to) + __builtin_strlen(__magus_from) >= (room)) __builtin_trap(); "+
		"__builtin_strcat(__magus_to, __magus_from); })")
}
