package reword_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"
)

// reworded is a text after preprocessing and rewording.
func reworded(text string) (string, error) {
	out := preprocess.Run(context.Background(), []preprocess.Text{{Name: "a.c", Bytes: []byte(text)}}, preprocess.Config{})
	if out.Faults != nil {
		return "", out.Faults
	}
	tokens, err := reword.Run(out.Tokens, cfa.X87)
	return joined(tokens), err
}

// plain is a text after preprocessing.
func plain(text string) string {
	return joined(preprocess.Run(context.Background(), []preprocess.Text{{Name: "a.c", Bytes: []byte(text)}},
		preprocess.Config{}).Tokens)
}

func joined(tokens []preprocess.Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.Space {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// A row shows what becomes of a construct, what is refused, and what looks like it and stays as it is.
type row struct {
	becomes map[string]string
	refused []string
	alike   []string
}

var rows = map[string]row{
	"standard attributes": {
		becomes: map[string]string{
			`[[maybe_unused]] int x;`:                   `int x;`,
			`int x [[gnu::aligned(8), deprecated]];`:    `int x __attribute__((aligned(8)));`,
			`[[noreturn]] void f(void);`:                `__attribute__((noreturn)) void f(void);`,
			`struct [[gnu::packed]] s { int a [[]]; };`: `struct __attribute__((packed)) s { int a; };`,
			"#define A [[gnu::packed]]\nstruct A s;":    `struct __attribute__((packed)) s;`,
			`[[other::packed]] int x;`:                  `int x;`,
		},
		alike: []string{`a[b[0]] = c[ d[1] ];`, `s = "[[x]]";`, "#define A [[x]]\nint x;", `int x; // [[a]]`,
			`struct s { int a[b[1]]; };`},
	},
	"attributes without meaning": {
		becomes: map[string]string{
			`int f(int a __attribute__((unused))) __attribute__((const));`:    `int f(int a);`,
			`enum __attribute__((unused)) e { A };`:                           `enum e { A };`,
			`struct __attribute__((unused, packed, __noinline__)) s { x; };`:  `struct __attribute__((packed)) s { x; };`,
			`int __attribute__((__format__(printf, 1, (2)))) f(char *, ...);`: `int f(char *, ...);`,
			"#define U __attribute__((unused))\nU int x;":                     `int x;`,
		},
		alike: []string{`int x __attribute__((aligned(8)));`, `s = "__attribute__((unused))";`,
			`int unused, x /* __attribute__((unused)) */;`,
			"#define U __attribute__((unused))\nint x;", `struct s { int a __attribute__((packed, aligned(2))); };`},
	},
	"typeof_unqual": {
		becomes: map[string]string{
			`typeof_unqual(x + 1) y;`:                               `__typeof__(((void)0, (x + 1 ))) y;`,
			`typedef const int T; __typeof_unqual__(T) y;`:          `typedef const int T; __typeof__(((void)0, *(T *)0)) y;`,
			"#define U typeof_unqual\nU(const struct s *const) *y;": `__typeof__(((void)0, *(const struct s *const *)0)) *y;`,
		},
		refused: []string{`typeof_unqual(int[3]) x;`, `typeof_unqual(int (*)(void)) x;`},
		alike: []string{`typeof(x) y;`, `s = "typeof_unqual(x)";`, `x; // typeof_unqual(x)`,
			"#define U typeof_unqual(x)\nint x;", `struct s { typeof(int const) x; };`},
	},
	"compound literals with storage classes": {
		becomes: map[string]string{
			`int *p = &(static int){ 4 };`: `int *p = &( int){ 4 };`,
			`{ f((static const T *){ 0 }, (register int){ 2 }); }`: `{ ` +
				`f((*({ static const T *__magus_stored_0={ 0 }; &__magus_stored_0; })), ( int){ 2 }); }`,
			"#define S static\n{ x = (S int [2]){ (constexpr int){ 1 } }[0]; }": `{ ` +
				`x = (*({ static int __magus_stored_0 [2] ={ (const int){ 1 } } ; &__magus_stored_0; }))[0]; }`,
		},
		refused: []string{`{ x = (static int (*)(void)){ 0 }; }`, `int *p = &(static thread_local int){ 1 };`},
		alike: []string{`int f(static int x) { }`, `int (*f(void))(register int x) { return x; }`,
			`int f(register int x) { return x; }`, `s = "(static int){ 1 }";`, `x = (const int){ 1 };`,
			"#define S (static int){ 1 }\nint x;",
			`int a[static 1]; // (static int){ 1 }`},
	},
	"constexpr": {
		becomes: map[string]string{
			`constexpr int n = 3; int a[n];`:                     `static const int n = 3; int a[(( const int)( 3))];`,
			`{ static constexpr T n = 1, *p = &n; } int n2 = n;`: `{ static const T n = 1, *p = &n; } int n2 = n;`,
			`constexpr int n = 3, m = n * f(1, 2); x = s.n + (&(n)) + m;`: `static const int n = 3, ` +
				`m = (( const int )( 3 )) * f(1, 2); x = s.n + (&(n)) + (( const int )( (( const int )( 3 )) * f(1, 2) ));`,
			"#define C constexpr\nC char a[] = { 1 }; int f(int n);": `static const char a[] = { 1 }; int f(int n);`,
			`constexpr int n = 3; int f(int n) { return n; }`:        `static const int n = 3; int f(int n) { return n; }`,
			`constexpr double d = 1; x = d;`:                         `static const double d = 1; x = d;`,
		},
		alike: []string{`const int n = 3; int a[n];`, `struct s { int constexpr, x; } a = { .constexpr = 1 };`,
			`s = "constexpr int n = 3;";`,
			`int n; // constexpr int n = 3`, "#define C constexpr int n = 3\nint n;", `struct s { const int n; };`},
	},
	"null pointers before others": {
		becomes: map[string]string{
			`x = a == b || c ? (void *)0 : p;`:              `x = !( a == b || c ) ? p : (void *)0;`,
			`if (x) return c ? ((void *)0) : p + 1;`:        `if (x) return !( c ) ? p + 1 : ((void *)0);`,
			`f(a, c[1] ? (void*)(0L) : d ? (void *)0 : p);`: `f(a, !( c[1] ) ? !( d ) ? p : (void *)0 : (void*)(0L));`,
			`x = (c ? (void *)0 : p) ? (void *)0 : q;`:      `x = !( (!( c ) ? p : (void *)0) ) ? q : (void *)0;`,
			`if (x) c ? (void *)0 : p;`:                     `if (x) !( c ) ? p : (void *)0;`,
			"#define N ((void *)0)\nx = c ? N : p;":         `x = !( c ) ? p : ((void *)0);`,
		},
		alike: []string{`x = c ? p : (void *)0;`, `x = c ? (void *)0 : 0;`, `x = c ? (void *)0 : (void *)0;`,
			`x = c ? (void *)1 : p;`,
			`x = c ? (char *)0 : p;`, `x = c ? (void *)n : p;`, `x = c ?: p;`, `s = "c ? (void *)0 : p";`,
			`#define M c ? (void *)0 : p`},
	},
	"constants that choose": {
		becomes: map[string]string{
			`x = 1 ?: y;`: `x = 1 ? 1: y;`,
			`enum e { A, B = 2 }; x = f((char)B + 1 ?: A ?: y);`: `enum e { A, B = 2 }; ` +
				`x = f((char)B + 1 ? (char)B + 1: A ? A: y);`,
			`return sizeof(int) ?: y;`: `return sizeof(int) ? sizeof(int): y;`,
			"#define K 3\nx = K ?: y;": `x = 3 ? 3: y;`,
			`x = _Generic(f(n), int: 1, default: 2) ?: y;`: `x = _Generic(f(n), int: 1, default: 2) ` +
				`? _Generic(f(n), int: 1, default: 2): y;`,
		},
		alike: []string{`x = _Generic(1, int: f(), default: 2) ?: y;`, `x = n ?: y;`, `x = f() ?: y;`, `x = ({ 1; }) ?: y;`, `x = 1 ? 2 : y;`, `s = "1 ?: y";`,
			`#define M 1 ?: y`, `x = i++ ?: 1;`},
	},
	"auto": {
		becomes: map[string]string{
			`{ auto x = 5; }`:                           `{ __auto_type x = 5; }`,
			`{ for (auto x = f(1, 2);;); }`:             `{ for (__typeof__(((void)0, ( f(1, 2)))) x = f(1, 2);;); }`,
			`static auto *const x = 1;`:                 `static auto *const x = 1;`,
			`{ static const auto x = a[1]; }`:           `{ static const __typeof__(((void)0, ( a[1] ))) x = a[1]; }`,
			`{ const __auto_type x = 1L; }`:             `{ const __typeof__(((void)0, ( 1L ))) x = 1L; }`,
			`auto g __attribute__((aligned(8))) = 'c';`: `__typeof__(((void)0, ( 'c' ))) g __attribute__((aligned(8))) = 'c';`,
			"#define A auto\n{ if (1) { A x = 5; } }":   `{ if (1) { __auto_type x = 5; } }`,
		},
		refused: []string{`{ static auto x = ({ 1; }); }`, `{ auto x = 1, y = 2; }`},
		alike: []string{`{ auto int x = 5; int auto y = 1; }`,
			`{ auto T x = 5; auto const long z = 1; auto struct s w = v; }`,
			`s = "auto x = 5";`, `int x; // auto x = 5`, `#define A auto x = 5`, `struct s { int x; };`},
	},
	"nullptr": {
		becomes: map[string]string{
			`p = nullptr; q = f(nullptr);`: `p = ((void *)0); q = f(((void *)0));`,
			`nullptr_t p;`:                 `__typeof__((void *)0) p;`,
			"#define N nullptr\ntypedef void *nullptr_t; nullptr_t p = N;": `typedef void *nullptr_t; ` +
				`nullptr_t p = ((void *)0);`,
		},
		refused: []string{`x = _Generic(nullptr, default: 1);`, `x = _Generic(p, int: 1, nullptr_t: 2);`},
		alike: []string{`int null, ptr;`, `s = "nullptr";`, `x; // nullptr`, "#define N nullptr\nint x;",
			`struct s { int null_ptr; };`, `struct s { int nullptr; } a = { .nullptr = 1 };`},
	},
	"bool, true and false": {
		becomes: map[string]string{
			`bool b = true; static bool f(bool x) { return x ? false : (bool)2; }`: `_Bool b = ((_Bool)1); ` +
				`static _Bool f(_Bool x) { return x ? ((_Bool)0) : (_Bool)2; }`,
			"#define T true\nint x = T;": `int x = ((_Bool)1);`,
		},
		alike: []string{`typedef int bool; bool x;`, `enum { false, true }; int x = true;`, `enum bool { no, yes };`,
			`s = "bool x = true;";`, `int x; // true`, `struct s { int true; }; x.true = 1;`, `int bool = 3;`,
			"#define B bool\nint x;", `enum e { false = 0, true = !false } x = true;`,
			`typedef unsigned char u8; typedef u8 bool, *flags; const bool true = 1;`,
			`typedef int word; int f(word true, word false) { return true - false; }`,
			`void true(c) { } f(c) { true(c); }`, `true(c) { }`, `static false();`},
	},
	"attributes behind asterisks": {
		becomes: map[string]string{
			`int *__attribute__((aligned(8))) p, *q;`: `int * p __attribute__((aligned(8))), *q;`,
			`struct s { int *const __attribute__((aligned(8))) p[2]; };`: `struct s { ` +
				`int *const p[2] __attribute__((aligned(8))); };`,
			"#define A __attribute__((aligned(8)))\nint * A p = 0;": `int * p __attribute__((aligned(8))) = 0;`,
			`int *const __attribute__((noreturn)) p;`:               `int *const p __attribute__((noreturn));`,
		},
		refused: []string{`int (*__attribute__((aligned(8))) f)(void);`, `int (__attribute__((aligned(8))) *p);`},
		alike: []string{`int *__attribute__((noreturn)) f(void);`, `int *p __attribute__((aligned(8)));`,
			`s = "* __attribute__((aligned(8))) p;";`,
			`x = *p; // *__attribute__((aligned(8))) p`, "#define A *__attribute__((aligned(8))) p\nint x;",
			`x = sizeof(int *__attribute__((aligned(8))));`,
			`struct s { int __attribute__((aligned(8))) *p; };`},
	},
	"attributes of single names": {
		becomes: map[string]string{
			`struct s { int a __attribute__((packed)), *b; ` +
				`};`: `struct s { int a __attribute__((packed)); int *b; };`,
			`union { struct t { int x; } __attribute__((packed)) a : 3, b __attribute__((packed)); ` +
				`};`: `union { struct t { int x; } __attribute__((packed)) a : 3; struct t b __attribute__((packed)); };`,
			`struct { struct { int x, y __attribute__((packed)); } a __attribute__((aligned(8))), b; } ` +
				`v, w;`: `struct { struct __magus_tag_0 { int x; int y __attribute__((packed)); } ` +
				`a __attribute__((aligned(8))); struct __magus_tag_0 b; } v, w;`,
			`typedef int A __attribute__((mode(QI))), ` +
				`B;`: `typedef signed char A; typedef int B;`,
			`static int a, __attribute__((aligned(8))) b = 1;`: `static ` +
				`int a; static int __attribute__((aligned(8))) b = 1;`,
			"#define A(n) __attribute__((aligned(n)))\nint A(32) g, h A(64), i A(16);": `int __attribute__((aligned(32))) g; ` +
				`int h __attribute__((aligned(64))); int __attribute__((aligned(32))) i;`,
			"#define A __attribute__((aligned(8)))\nint f(void) { struct s { T a A, (*f)(int, int); } " +
				"x; }": `int f(void) { struct s { T a __attribute__((aligned(8))); T (*f)(int, int); } x; }`,
		},
		refused: []string{`int __attribute__((aligned(N))) a __attribute__((aligned(8)));`},
		alike: []string{`int a __attribute__((aligned(8))), b;`, `struct s { int __attribute__((packed)) a, b; };`,
			`s = "struct s { int a __attribute__((packed)), b; };";`,
			`struct s { int a, b; }; // int a __attribute__((packed)), b;`,
			"#define A int a __attribute__((packed)), b;\nint x;",
			`for (int a __attribute__((mode(QI))), b; a; b) { }`, `struct s f(int a __attribute__((aligned(8))), int b);`},
	},
	"ranges beside designators": {
		becomes: map[string]string{
			`T a = { [0 ... 2][1] = 4, .x[f(1, 2) ... N].y = 5 };`: `T a = { ` +
				`[0x6d616775735fULL ? ( 2) : (0)][1] = 4, .x[0x6d616775735fULL ? ( N) : (f(1, 2))].y = 5 };`,
			`T a = { [1][0 ... 2] = 4 };`: `T a = { [1][0x6d616775735fULL ? ( 2) : (0)] = 4 };`,
		},
		alike: []string{`T a = { [0 ... 2] = 4, [3][4] = 5 };`, `switch (x) { case 1 ... 2: a[1][2]; }`,
			`s = "[0 ... 2][1]";`, `int f(int, ...), a[2][3];`,
			"#define R [0 ... 2][1]\nint x;", `x = 1; // [0 ... 2][1]`},
	},
	"parameters of returned functions": {
		becomes: map[string]string{
			`int (*f(int a, int b))(int c, int b) { ` +
				`return g; }`: `int (*f(int a, int b))(int c, int __magus_unused_b) { return g; }`,
			`; static T *(*const h(int (*k)(int), T n[2]))(char *k, T n);`: `; ` +
				`static T *(*const h(int (*k)(int), T n[2]))(char *__magus_unused_k, T __magus_unused_n);`,
			"#define B int b\nint (*f(B))(B);": `int (*f(int b))(int __magus_unused_b);`,
		},
		alike: []string{`x = (*f(a, b))(c, b);`, `return (*f(a * b))(c * b);`, `int (*f)(int a, int b);`,
			`int (*f(int a))[3];`,
			`int (*f(int))(int);`, `s = "int (*f(int a))(int a)";`, `#define M int (*f(int a))(int a)`},
	},
	"lengths of parameters without names": {
		becomes: map[string]string{
			`int f(int [static 5]);`:             `int f(int [ 5]);`,
			`int f(int *[const static 2], T *);`: `int f(int *[const 2], T *);`,
			`int f(struct s [static 2][3]);`:     `int f(struct s [ 2][3]);`,
		},
		alike: []string{`int f(int a[static 5]);`, `int f(T a[const static 5]);`, `static int a[3];`, `s = "int [static 5]";`,
			`int f(int (a)[static 5]);`, `#define M int [static 5]`, `int f(T *a[static 5]);`},
	},
	"lengths that are not said": {
		becomes: map[string]string{
			`int f(int n, int a[*]);`: `extern int __magus_length; ` +
				`int f(int n, int a[__magus_length]);`,
			"#define S [const *]\nint f(int S, int [*][ * ]);": `extern int __magus_length; ` +
				`int f(int [const __magus_length], int [__magus_length][ __magus_length ]);`,
		},
		alike: []string{`int f(int n, int a[*p]);`, `s = "int a[*]";`, `int a[2]; // a[*]`,
			"#define S [*]\nint x;", `struct s { int a[2 * 3]; };`},
	},
	"order of bytes": {
		refused: []string{`struct __attribute__((scalar_storage_order("big-endian"))) b { int v; };`,
			`struct b { int v; } __attribute__((packed, __scalar_storage_order__("big-endian")));`,
			"#define B __attribute__((scalar_storage_order(\"big-endian\"))) struct b\nB b;",
			`struct [[gnu::scalar_storage_order("big-endian")]] b { int v; };`},
		alike: []string{`struct __attribute__((scalar_storage_order("little-endian"))) b { int v; };`,
			`char s[] = "scalar_storage_order";`, `int scalar_storage_order; // scalar_storage_order`,
			"#define B __attribute__((scalar_storage_order(1)))\nint x;", `struct s { int scalar_storage_order; };`,
			`int f(int, scalar_storage_order(int));`},
	},
	"another layout": {
		refused: []string{`struct __attribute__((ms_struct)) b { int v; };`, `struct b { int v; } __attribute__((__ms_struct__));`,
			"#define B __attribute__((ms_struct)) struct b\nB b;", `struct [[gnu::ms_struct]] b { int v; };`},
		alike: []string{`struct __attribute__((gcc_struct)) b { int v; };`, `char s[] = "ms_struct";`,
			`int ms_struct; // ms_struct`, "#define B __attribute__((ms_struct))\nint x;", `struct s { int ms_struct; };`},
	},
	"bit-precise integers": {
		refused: []string{`_BitInt(7) x;`, `unsigned _BitInt (9) f(void);`, "#define B _BitInt(3)\nB x;"},
		alike: []string{`char s[] = "_BitInt(3)"; // _BitInt(3)`, `int my_BitInt(int);`, "#define B _BitInt(3)\nint x;",
			`struct s { int _BitInt; };`, `int x; // _BitInt(3)`},
	},
	"decimal floating point": {
		refused: []string{`_Decimal32 x;`, `int x = sizeof(_Decimal64);`, "#define D _Decimal128\nD f(void);"},
		alike: []string{`char s[] = "_Decimal32"; // _Decimal32`, `double my_Decimal32(int);`,
			"#define D _Decimal32\nint x;", `struct s { int Decimal32; };`, `int x; // _Decimal64`},
	},
	"other floating point of 16 bits": {
		refused: []string{`int f(__fp16 x);`, "#define H __bf16\nH x;"},
		alike: []string{`char s[] = "__fp16"; // __fp16`, "#define H __bf16\nint x;", `struct s { int fp16; };`,
			`int x; // __bf16`, `int my__fp16(int);`},
	},
	"_Float16": {
		becomes: map[string]string{
			`_Float16 x, f(_Float16 *p);`:               `_Decimal64 x, f(_Decimal64 *p);`,
			"#define H _Float16\nH x = 1.5f16 + 1.F16;": `_Decimal64 x = 1.5dd + 1.dd;`,
		},
		refused: []string{`_Float16 x; _Decimal64 y;`},
		alike: []string{`char s[] = "_Float16"; // _Float16`, `double my_Float16(int);`, "#define H _Float16\nint x;",
			`struct s { int Float16; };`, `int x; // _Float16`},
	},
	"floating types of widths": {
		becomes: map[string]string{
			`_Float32 x = sqrtf32(y);`:                                   `float x = sqrtf(y);`,
			`_Float64 f(_Float32x a, _Float64x *p);`:                     `double f(double a, long double *p);`,
			`typedef float _Float32; _Float32 x;`:                        `float x;`,
			`_Float64x x = __builtin_fabsf64x(s.fabsf64x(1), fabsf64x);`: `long double x = __builtin_fabsl(s.fabsf64x(1), fabsf64x);`,
			`_Float64 sinf64(_Float64 x) { return x; }`:                  `double sinf64(double x) { return x; }`,
			`_Float32 x; strtof32(s, 0) + strtof64(s, 0) + strtof64x(s, 0) + f(acosf32x(1));`: `float x; ` +
				`strtof(s, 0) + strtod(s, 0) + strtold(s, 0) + f(acos(1));`,
			"#define F _Float32\nF x;": `float x;`,
			`extern _Float32 acosf32(_Float32 x); int y = _Generic(z, float: 1);`: `extern float acosf(float x); ` +
				`int y = _Generic(z, float: 1);`,
		},
		refused: []string{`extern _Float32 f(void); int y = _Generic(f(), float: 1, default: 2);`,
			`extern _Float32 x, f(void); int y = _Generic(x, float: 1, default: 2);`,
			`_Float32 x; int y = _Generic(x, float: 1, _Float32: 2);`,
			`int x = __builtin_types_compatible_p(float, _Float32);`},
		alike: []string{`char s[] = "_Float32"; // _Float32`, `_Float128 x;`, `int f(int my_Float32);`, `x = sqrtf32(y);`,
			"#define F _Float32\nint x;", `int x = _Generic(y, float: 1);`},
	},
	"packed enumerations": {
		becomes: map[string]string{
			`enum e { A, B } __attribute__((packed));`: `typedef ` +
				`unsigned char __magus_packed_u8; enum e : __magus_packed_u8 { A, B };`,
			`enum __attribute__((__packed__)) { A = -129, } ` +
				`x;`: `typedef short __magus_packed_s16; enum : __magus_packed_s16 { A = -129, } x;`,
			`enum { N = 200 }; enum [[gnu::packed]] e { A = N + 56 };`: `typedef ` +
				`unsigned short __magus_packed_u16; enum { N = 200 }; enum e : __magus_packed_u16 { A = N + 56 };`,
			"#define P __attribute__((packed))\nstruct s { enum { A = 'a', B = -1 } " +
				"P a; };": `typedef signed char __magus_packed_s8; struct s { enum : __magus_packed_s8 { A = 'a', B = -1 } a; };`,
			`enum { A = 0x7fffffffffL } __attribute__((packed)) x;`: `typedef ` +
				`unsigned long long __magus_packed_u64; enum : __magus_packed_u64 { A = 0x7fffffffffL } x;`,
		},
		refused: []string{`enum e { A = sizeof(int) } __attribute__((packed));`,
			`enum { A = 1u << 31 } __attribute__((packed));`, `enum { A = 1 << 31 } __attribute__((packed));`,
			`enum e { A } __attribute__((aligned(4), packed)) x;`,
			`enum { N = 1 }; void f(void) { enum { N = 300 }; enum { A = N } __attribute__((packed)) x; }`,
			`enum { A = 0xffffffffffffffff } __attribute__((packed));`},
		alike: []string{`enum e { A }; struct s { char c; int n; } __attribute__((packed));`,
			`enum e { A } x __attribute__((aligned(4)));`,
			`int f(enum e *p, struct s { int n; } __attribute__((packed)) *q);`,
			`/* enum e { A } __attribute__((packed)); */ enum e { B };`,
			`char s[] = "enum e { A } __attribute__((packed))"; enum e { B };`,
			"#define P enum { A } __attribute__((packed))\nenum { B };"},
	},
	"enumerations in _Generic": {
		becomes: map[string]string{
			`x = _Generic(y, enum e: 1, const enum f const: f(1, 2), default: 0);`: `x = ` +
				`_Generic(y, __typeof__( enum e ): 1, const __typeof__( enum f ) const: f(1, 2), default: 0);`,
		},
		alike: []string{`_Generic(y, enum e *: 1);`, `enum e : int { A };`, `f(_Generic(x, int: 1), enum e : 3);`,
			`s = "_Generic(x, enum e: 1)";`,
			"#define G _Generic(x, enum e: 1)\nint x;", `x = 1; // _Generic(x, enum e: 1)`},
	},
	"any numbers that nothing declares": {
		becomes: map[string]string{"int main(void) { double x = nondet_double(); return nondet_float() > x; }": "float nondet_float(); " +
			"double nondet_double(); int main(void) { double x = nondet_double(); return nondet_float() > x; }"},
		alike: []string{"float nondet_float(void); int main(void) { return nondet_float() > 1; }",
			"int main(void) { extern float nondet_float(); return nondet_float() > 1; }",
			"float nondet_float() { return 1; } int f(void) { return nondet_float() > 1; }", `s = "nondet_float()";`,
			"int x; // nondet_float()\nstruct nondet { float f; };"},
	},
	"numbers": {
		becomes: map[string]string{`x = 1'000'000 + 0x1'F + 0b1'0 + 1'0.5e1'0;`: `x = 1000000 + 0x1F + 0b10 + 10.5e10;`,
			"#define N 1'0\nint a[N];":                             `int a[10];`,
			`x = 1.5d + 1.w + 2e3Q + 0x1p4D;`:                      `x = 1.5 + 1.l + 2e3f128 + 0x1p4;`,
			`x = 1.5f32 + 0x1p3F64 + 2e3f32x + .5f64x + 1e309f64;`: `x = 1.5f + 0x1p3 + 2e3 + .5l + __builtin_inf();`,
			`x = 1.f16 + 1e3F16 + 0x1.8p-3f16;`:                    `x = 1.dd + 1e3dd + 0x1.8p-3dd;`,
			`x = 1e309 + 0x1p1024;`:                                `x = __builtin_inf() + __builtin_inf();`},
		refused: []string{`x = 1.5df;`, `x = 1e3DD + 1;`, `x = 1.dl;`, `x = _Generic(1.5f32, float: 1, default: 2);`, `x = 1.0i;`, `n = sizeof 1i;`, `n = sizeof 1.0Lj;`,
			"#define I 1.0if\nx = I;"},
		alike: []string{`c = '1' + 1 + '0';`, `s = "1'000";`, "#define S(x) #x\ns = S(1'000);",
			`x = 1; // 1'000`, `x = 0x1d + 0xd + 0x1dd + 0xdf + 1e39f + 1e309L + 1e308 + 1e-400 + 0x1.8p-3f + 0x1ef16;`, `struct s { int a: 1; } t = { '1' };`},
	},
	"characters": {
		becomes: map[string]string{
			`x = 'ab' + 'abcd';`: `x = 24930 + 1633837924;`, `'\377a'`: "65377", `'\xff\xff\xff\xff'`: "(-1)",
			`'\0a'`: "97", `'a\n'`: "24842",
			`'\'"'`: "10018", `'\\\''`: "23591", `'?\?'`: "16191", `'\e['`: "7003", `'\1012'`: "16690",
			`'\x80\0\0\0'`: "(-2147483647-1)",
			"u'a'":         "((unsigned short)97)", "x = U'\\n';": "x = 10u;", "(u'é')": "(((unsigned short)233))",
			"U'😀'": "128512u",
			"L'é'": "233", "'é'": "50089", "u8'a'": "((unsigned char)97)", "'\\u00e9'": "50089", `'\x041'`: "65",
			"#define C 'ab'\nint x = C;": "int x = 24930;", "#if 'ab' == 24930\nint x;\n#endif": "int x;",
		},
		refused: []string{`'abcde'`, `''`, `'\x'`, `L'ab'`, `u'ab'`, `'\x1ff'`, `u'😀'`, `'\u12'`, `u''`},
		alike: []string{`'a' + '\n' + '\377' + '\xff' + L'\xff' + L'a' + '\''`, `"it's 'ab'"`, "/* 'ab' */ x",
			"x // don't, can't\n",
			"#define S(x) #x\ns = S('ab');", "menu + 'a'", `struct s { char c[2]; } t = { 'a', 'b' };`},
	},
	"literals that a string fills": {
		becomes: map[string]string{
			`p = (char[]){"ab"};`:                          `p = (char[3]){"ab"};`,
			`p = (const unsigned char[]){ "\x41" "bc", };`: `p = (const unsigned char[4]){ "\x41" "bc", };`,
			`p = (wchar_t[]){ L"ab" };`:                    `p = (wchar_t[3]){ L"ab" };`,
			"#define S \"ab\"\nint n = sizeof(char[]){S};": `int n = sizeof(char[3]){"ab"};`,
		},
		alike: []string{`p = (char *[]){"ab"};`, `p = (char[]){'a'};`, `p = (char[4]){"ab"};`,
			`p = (char[]){"ab"[0]};`, `char a[] = {"ab"};`,
			`p = (char[][3]){"ab"};`, `s = "(char[]){1}";`, `p = 1; // (char[]){"ab"}`, "#define A (char[]){\"ab\"}\nint x;",
			`p = (struct s[]){"ab"};`, `p = (T[]){"ab"};`},
	},
	"strings": {
		becomes: map[string]string{
			`x = u8"ab" u8"c";`: `x = "abc";`, `"\x00041" "b"`: `"Ab"`, `R"(a\n")"`: `"a\134n\042"`,
			"R\"x(a)\"\n)x\"": `"a)\042\012"`,
			`"a" L"b" "c"`:    `L"abc"`, `L"\xff"`: `L"ÿ"`, `"\u00e9"`: `"\303\251"`, `"\x1" R"(2)"`: `"\0012"`,
			`char16_t a[] = u"ab";`:          `char16_t a[] = {97,98,0};`,
			`static T a[3] = ("" U"b"), *p;`: `static T a[3] = ({98,0}), *p;`,
			`f(u"é😀");`: `static unsigned short __magus_literal_0[]={233,55357,56832,0}; ` +
				`f(__magus_literal_0);`,
			`const T *p = U"";`: `static unsigned int __magus_literal_0[]={0}; ` +
				`const T *p = __magus_literal_0;`,
			"#define S u8\"ab\"\nchar *p = S;":           `char *p = "ab";`,
			"#define A R\n#define X(x) x\nX(R\"(\\)\");": `"\134";`,
		},
		refused: []string{`u"a" U"b"`, `"\x"`, `"\x1ff"`, `u"\x12345"`, `T *a[] = { u"x" };`,
			`struct s t = { .a = u"x" };`, `T a = u"x";`,
			`"\u12"`, "\"\\ud800\""},
		alike: []string{`x = "u8" "y"; /* u8"" */`, `x = "\x41" "1\\x123" "\377\e";`, `int u8; x = u8 + '"' + u8;`,
			`L"ab" L"c" "d"`, `x = mu8 + 1; // u8"c"`,
			"#define S(x) #x\ns = S(u8\"ab\" 'c');", `struct s { char u[3]; } t = { "u8" };`, `s = "R\"(x)\"";`},
	},
	"designators without =": {
		becomes: map[string]string{
			"int a[] = { [1] 7, [2 ... 4] f(8), 9 };":       "int a[] = { [1]= 7, [2 ... 4]= f(8), 9 };",
			"struct s a[] = { 1, [3] { 1, [2] x } };":       "struct s a[] = { 1, [3]= { 1, [2]= x } };",
			"#define D(i, x) [i] x\nint a[] = { D(1, 7) };": "int a[] = { [1]= 7 };",
		},
		alike: []string{`int a[] = { [1] = 7, [2] = 8 };`, `int a[2][2] = { [1][0] = 7 }; struct s b[] = { [0].x = 1 };`,
			`asm("x" : [a] "=r"(x), [b] "=r"(y) : [c] "r"(z));`, `s = "{ [1] 7 }"; // { [1] 7 }`, `{ f(x, a[1]); b[2]; }`,
			"#define S(x) #x\ns = S({ [1] 7 });", "struct s { int a[1]; int b; };"},
	},
	"alignments of expressions": {
		becomes: map[string]string{
			`x = __alignof__ y + 1;`:                `x = __alignof__ ( y ) + 1;`,
			`x = __alignof__ *p->q[2] * 2;`:         `x = __alignof__ ( *p->q[2] ) * 2;`,
			`x = _Alignof s.a, 1;`:                  `x = _Alignof ( s.a ), 1;`,
			`x = __alignof__ *(int *)p;`:            `x = __alignof__ ( *(int *)p );`,
			`x = __alignof__ a[__alignof__ b];`:     `x = __alignof__ ( a[__alignof__ b] );`,
			`x = __alignof__ *(y`:                   `x = __alignof__ ( *(y )`,
			`x = __alignof__ "ab";`:                 `x = __alignof__ ( "ab" );`,
			"#define A __alignof__ y\nx = (A) + 1;": `x = (__alignof__( y)) + 1;`,
		},
		alike: []string{`x = __alignof__(y) + 1;`, `x = _Alignof(int);`, `s = "__alignof__ y";`, `x = 1; // __alignof__ y`,
			"#define A __alignof__ y\nint x;", `x = alignof + 1;`, `x = __alignof__ ;`, "x = sizeof y + 1;"},
	},
	"definitions that another one replaces": {
		becomes: map[string]string{
			`extern inline __attribute__((gnu_inline)) int f(int x) { return 1; } int f(int x) { ` +
				`return 2; }`: `extern inline __attribute__((gnu_inline)) int f(int x) ; int f(int x) { return 2; }`,
			`extern inline __attribute__((gnu_inline)) int f(void) { { } } int a[] = { 1 }; struct s { int f; ` +
				`}; int (f)(void); int f() { }`: `extern inline __attribute__((gnu_inline)) int f(void) ; ` +
				`int a[] = { 1 }; struct s { int f; }; int (f)(void); int f() { }`,
		},
		alike: []string{`extern inline __attribute__((gnu_inline)) int f(int x) { return 1; } int g(int x) { return f(x); }`,
			`inline __attribute__((gnu_inline)) int f(int x) { return 1; } int f(int x) { return 2; }`,
			`extern inline int f(int x) { return 1; } int f(int x) { return 2; }`, `s = "gnu_inline";`,
			`#define G __attribute__((gnu_inline))`},
	},
	"labels at the end of a block": {
		becomes: map[string]string{"{ out: }": "{ out:; }", "{ { a: } b: }": "{ { a:; } b:; }",
			"switch (x) { default: }":               "switch (x) { default:; }",
			"{ out:\n#if 1\n# 4 \"f.c\"\n#endif\n}": "{ out:; }", "#define M { out: }\nM": "{ out:; }",
			"x = ({ a: });": "x = ({ a:; });"},
		alike: []string{"{ out: x = 1; }", "x = c ? a : b; }", `{ s = "a: }"; c = ':'; }`,
			"#define S(x) #x\nS({ a: })", "{ out:", "struct s { int a : 3; };"},
	},
	"labels before values of blocks": {
		becomes: map[string]string{"x = ({ f(); out: k; });": "x = ({ f(); out:; k; });",
			"({ if (c) { g(); } a: b: k; })": "({ if (c) { g(); } a: b:; k; })",
			"({ a: ({ b: x; }) + 1; })":      "({ a:; ({ b:; x; }) + 1; })", "#define M ({ a: b; })\nM": "({ a:; b; })"},
		alike: []string{"{ f(); out: k; }", "({ a: b; c; })", "({ if (c) a: b; else d: e; })",
			"({ c ? a : b; })", `({ "a: b;"; })`,
			"({ switch (x) { case 1: default: y; } })", "#define S(x) #x\nS(({ a: b; }))", "({ a: b;"},
	},
	"labels around functions": {
		becomes: map[string]string{
			`int f(void) { int g(int x) { goto a; a: return x; } goto a; a: b: return g(1); }`: `int f(void) { ` +
				`__label__ __magus_label_0_a, __magus_label_1_b; int g(int x) { __label__ __magus_label_2_a; ` +
				`goto __magus_label_2_a; __magus_label_2_a: return x; } goto __magus_label_0_a; ` +
				`__magus_label_0_a: __magus_label_1_b: return g(1); }`,
		},
		alike: []string{`int f(void) { goto a; a: return 1; }`, `int f(void) { s = "int g(void) { a:; }"; ` +
			`goto a; a: return 1; }`, `int f(void) { goto a; a: while (x) { b:; } }`,
			"#define G int g(void) { a:; }\nint f(void) { goto a; a:; }",
			`int f(void) { goto a; struct s { int x; }; a:; } // int g(void) { }`},
	},
	"labels of blocks": {
		becomes: map[string]string{
			`{ __label__ a, b; goto a; b: x ? y : z; a: f(&&b, x && b); }`: `{ ` +
				`__label__ __magus_label_0_a, __magus_label_1_b; goto __magus_label_0_a; ` +
				`__magus_label_1_b: x ? y : z; __magus_label_0_a: f(&&__magus_label_1_b, x && b); }`,
			`{ __label__ a; { __label__ a; a:; } if (x) a: goto a; }`: `{ __label__ __magus_label_0_a; { ` +
				`__label__ __magus_label_1_a; __magus_label_1_a:; } if (x) __magus_label_0_a: goto __magus_label_0_a; }`,
			"#define L(x) { __label__ out; x; out:; }\nL(goto out) L(;)": `{ __label__ __magus_label_0_out; ` +
				`goto __magus_label_0_out; __magus_label_0_out:; } { __label__ __magus_label_1_out; ;; __magus_label_1_out:; }`,
		},
		alike: []string{`{ a: goto a; }`, `{ { s = "__label__ a;"; } a: goto a; }`, `{ a:; } // __label__ a;`,
			"#define L __label__ a;\n{ a:; }", `struct s { int a : 3; };`},
	},
	"inline assembly": {
		becomes: map[string]string{`asm volatile inline ("nop");`: `asm volatile ("nop");`,
			`__asm__ __inline__ ("" : : );`:   `__asm__ ("" : : );`,
			"#define A asm inline\nA (\"\");": `asm ("");`},
		alike: []string{`inline int asm_f(void);`, `s = "asm inline";`, `x; // asm inline`,
			`asm("inline"); inline int f(void);`, `struct s { int asm_; };`},
	},
	"qualifiers in typeof": {
		becomes: map[string]string{"typeof( const   int *) x": "typeof( int const *) x",
			"__typeof__(const volatile struct s *) p;": "__typeof__(struct s const volatile *) p;",
			"#define C const\ntypeof(C int) k = 3;":    "typeof(int const) k = 3;"},
		alike: []string{"typeof(int const *) x;", `s = "typeof(const int)";`, "typeof(x) const y;",
			"const int typeof_x;", "struct s { typeof(int) const a; }; // typeof(const int)",
			"typeof(const struct { int a; }) x;"},
	},
	"the attribute mode": {
		becomes: map[string]string{
			`typedef int word __attribute__((mode(DI)));`:            `typedef signed long long word;`,
			`typedef unsigned __attribute__((__mode__(__QI__))) u8;`: `typedef unsigned char u8;`,
			"#define M __attribute__((mode(SF)))\ndouble x M;":       `float x;`,
			`struct s { int a __attribute__((mode(HI))); };`:         `struct s { signed short a; };`,
			`static int a __attribute__((mode(QI))) = 3, b;`:         `static signed char a = 3; static int b;`,
		},
		alike: []string{`int *p __attribute__((mode(DI)));`, `for (int a, b __attribute__((mode(DI))); ; ) { }`,
			`s = "int x __attribute__((mode(DI)));";`,
			`int mode; // __attribute__((mode(DI)))`, `T x __attribute__((mode(DI)));`, `int x __attribute__((aligned(8)));`},
	},
}

// TestTable: each row rewords its construct, refuses what it cannot reword, and leaves alone what looks like it.
func TestTable(t *testing.T) {
	table := reword.Table()
	require.Len(t, rows, len(table))
	for _, entry := range table {
		t.Run(entry.Name, func(t *testing.T) {
			r := rows[entry.Name]
			require.NotEmpty(t, len(r.becomes)+len(r.refused))
			require.GreaterOrEqual(t, len(r.alike), 5, "a string, a comment, a macro, a structure, at file scope")
			for text, want := range r.becomes {
				got, err := reworded(text)
				require.NoError(t, err, text)
				assert.Equal(t, want, got, text)
			}
			for _, text := range r.alike {
				got, err := reworded(text)
				require.NoError(t, err, text)
				assert.Equal(t, plain(text), got, text)
			}
			for _, text := range r.refused {
				_, err := reworded(text)
				assert.ErrorContains(t, err, "a.c:", text)
			}
		})
	}
}
