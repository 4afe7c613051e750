package cfatest

// Random programs that compute with floating point, for comparing with a compiler.
//
// What a program does is defined but for the bits of NaNs, which are told by -1: numbers that do not fit an integer
// type are not converted. A program in four changes the rounding mode. Programs with long double have two variables
// of that type, tell its bits, and compute in it; others have two of _Float16 and two of _Float128.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// FloatingPrelude declares what all programs share. Square roots are stored in a variable, for functions of 32-bit
// x86 give them in a register of the x87 with more bits than their type has.
const FloatingPrelude = `void out(long long);
void *memcpy(void *, const void *, __SIZE_TYPE__);
int fesetround(int), fegetround(void);
double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double),
	nearbyint(double), sqrt(double), logb(double);
float fabsf(float), floorf(float), ceilf(float), truncf(float), roundf(float), rintf(float),
	sqrtf(float);
double copysign(double, double), fmod(double, double), nextafter(double, double),
	fdim(double, double), remainder(double, double);
float fmodf(float, float), nextafterf(float, float);
double fma(double, double, double), ldexp(double, int), frexp(double, int *),
	modf(double, double *);
float fmaf(float, float, float), scalbnf(float, int);
static void tell(double x) { long long u; memcpy(&u, &x, sizeof u); out(x != x ? -1 : u); }
static float less(float a, double b) { return a - b; }
static double root(double x) { volatile double r = sqrt(x); return r; }
static float rootf(float x) { volatile float r = sqrtf(x); return r; }
static double sum(int n, ...) {
	__builtin_va_list l; __builtin_va_start(l, n); double s = 0;
	for (int i = 0; i < n; i++) s += __builtin_va_arg(l, double);
	__builtin_va_end(l); return s;
}
static double parts(double x) {
	double w, f = modf(x, &w); int e; double m = frexp(x, &e);
	return __builtin_isfinite(x) ? m + e + f + w : x;
}
`

// LongPrelude is FloatingPrelude for programs with long double.
const LongPrelude = FloatingPrelude +
	`long double fabsl(long double), floorl(long double), ceill(long double), truncl(long double),
	roundl(long double), rintl(long double), nearbyintl(long double), sqrtl(long double);
long double copysignl(long double, long double), fdiml(long double, long double),
	fmal(long double, long double, long double);
long double nextafterl(long double, long double), ldexpl(long double, int),
	frexpl(long double, int *), modfl(long double, long double *), logbl(long double);
static long double partsl(long double x) {
	long double w, f = modfl(x, &w); int e; long double m = frexpl(x, &e);
	return __builtin_isfinite(x) ? m + e + f + w : x;
}
struct pair { int n; long double x[2]; };
static void telll(long double x) {
	unsigned long long m; memcpy(&m, &x, 8); out(x != x ? -1 : m);
#if __LDBL_MANT_DIG__ == 64
	unsigned short e; memcpy(&e, (char *)&x + 8, 2); out(x != x ? -1 : e);
#elif __LDBL_MANT_DIG__ == 113
	memcpy(&m, (char *)&x + 8, 8); out(x != x ? -1 : m);
#endif
}
static long double lessl(long double a, long double b) { return a - b; }
static long double suml(int n, ...) {
	__builtin_va_list l; __builtin_va_start(l, n); long double s = 0;
	for (int i = 0; i < n; i++) s += __builtin_va_arg(l, long double);
	__builtin_va_end(l); return s;
}
static long double second(struct pair p, long double *q) {
	long double old = *q; *q = p.x[p.n & 1]; return old;
}
`

// WidthsPrelude is LongPrelude for programs with _Float16 and _Float128.
const WidthsPrelude = LongPrelude +
	`_Float128 floorf128(_Float128), ceilf128(_Float128), truncf128(_Float128), roundf128(_Float128),
	rintf128(_Float128), sqrtf128(_Float128);
_Float128 nextafterf128(_Float128, _Float128), ldexpf128(_Float128, int), frexpf128(_Float128, int *),
	modff128(_Float128, _Float128 *), logbf128(_Float128);
static _Float128 partsq(_Float128 x) {
	_Float128 w, f = modff128(x, &w); int e; _Float128 m = frexpf128(x, &e);
	return __builtin_isfinite(x) ? m + e + f + w : x;
}
_Float128 copysignf128(_Float128, _Float128), fdimf128(_Float128, _Float128), fmaf128(_Float128, _Float128, _Float128);
struct widths { _Float16 h; _Float128 q[2]; char c; _Float16 g[3]; };
static void tellh(_Float16 x) { unsigned short u; memcpy(&u, &x, sizeof u); out(x != x ? -1 : u); }
static void tellq(_Float128 x) {
	unsigned long long u[2]; memcpy(u, &x, sizeof u); out(x != x ? -1 : u[0]); out(x != x ? -1 : u[1]);
}
static _Float16 lessh(_Float16 a, double b) { return a - b; }
static _Float128 lessq(_Float128 a, _Float16 b) { return a - b; }
static _Float128 sumq(int n, ...) {
	__builtin_va_list l; __builtin_va_start(l, n); _Float128 s = 0;
	for (int i = 0; i < n; i++) s += __builtin_va_arg(l, _Float128);
	__builtin_va_end(l); return s;
}
static double sumh(int n, ...) {
	__builtin_va_list l; __builtin_va_start(l, n); double s = 0;
	for (int i = 0; i < n; i++) s += __builtin_va_arg(l, _Float16);
	__builtin_va_end(l); return s;
}
static _Float128 second128(struct widths p, _Float128 *q) {
	_Float128 old = *q; *q = p.q[p.h > 1] + p.g[1]; p.g[2]++; return old + p.g[2];
}
`

// floating writes one program.
type floating struct {
	*rand.Rand
	long  bool // with long double
	other bool // with _Float16 and _Float128
	modes bool // the rounding mode changes
	text  strings.Builder
	types []string // of the variables v0, v1, …
}

var floatingIntegers = []string{"signed char", "unsigned char", "short", "unsigned short", "int",
	"unsigned", "long long", "unsigned long long"}

var floatingUnary = []string{"fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "root",
	"fabsf", "floorf", "ceilf", "truncf",
	"roundf", "rintf", "rootf", "parts", "logb"}

var floatingBinary = []string{"copysign", "fmod", "nextafter", "fdim", "remainder", "fmodf", "nextafterf", "less"}

var longUnary = []string{"fabsl", "floorl", "ceill", "truncl", "roundl", "rintl", "nearbyintl", "sqrtl",
	"partsl", "logbl"}

var longBinary = []string{"copysignl", "fdiml", "lessl", "nextafterl"}

// Floating is a program, its entry a function without parameters.
func Floating(id int, seed uint64) (text, entry string) {
	return (&floating{Rand: rand.New(rand.NewPCG(seed, 41))}).program(id)
}

// LongFloating is Floating with long double.
func LongFloating(id int, seed uint64) (text, entry string) {
	return (&floating{Rand: rand.New(rand.NewPCG(seed, 43)), long: true}).program(id)
}

// WidthsFloating is Floating with _Float16 and _Float128.
func WidthsFloating(id int, seed uint64) (text, entry string) {
	return (&floating{Rand: rand.New(rand.NewPCG(seed, 47)), other: true}).program(id)
}

func (g *floating) program(id int) (text, entry string) {
	entry = fmt.Sprintf("floating%d", id)
	fmt.Fprintf(&g.text, "static int %s(void) {\n", entry)
	if g.modes = g.IntN(4) == 0; g.modes {
		g.text.WriteString("\tfesetround(0);\n")
	}
	numbers := []string{"float", "float", "double", "double"}
	if g.long {
		numbers = []string{"float", "double", "long double", "long double"}
	} else if g.other {
		numbers = []string{"_Float16", "_Float16", "_Float128", "_Float128"}
	}
	for i, t := range append(numbers, g.integer(), g.integer(), g.integer()) {
		g.types = append(g.types, t)
		init := fmt.Sprint(g.IntN(256) - 128)
		if i < 4 {
			init = g.literal()
		}
		fmt.Fprintf(&g.text, "\t%s v%d = %s;\n", t, i, init)
	}
	for range 20 {
		if g.modes && g.IntN(8) == 0 {
			fmt.Fprintf(&g.text, "\tfesetround(%d); out(fegetround());\n", g.IntN(4)*0x400)
		}
		g.statement()
	}
	if g.modes {
		g.text.WriteString("\tfesetround(0);\n")
	}
	g.text.WriteString("\treturn 0;\n}\n")
	return g.text.String(), entry
}

func (g *floating) integer() string { return floatingIntegers[g.IntN(len(floatingIntegers))] }

func (g *floating) literal() string {
	suffix := [...]string{"", "f"}[g.IntN(2)]
	if g.long && g.IntN(2) == 0 {
		return g.longLiteral()
	} else if g.other {
		return g.widthLiteral()
	}
	sign := [...]string{"", "- "}[g.IntN(2)]
	switch g.IntN(4) {
	case 0:
		return sign + [...]string{"0.0", "1.0", "0.5", "2.0", "0.1", "1e10", "16777217.0", "1e-40",
			"3.40282347e38"}[g.IntN(9)] + suffix
	case 1:
		if suffix == "f" {
			return fmt.Sprintf("%s0x1.%xp%df", sign, g.Uint32()>>9<<1, g.IntN(276)-149)
		}
		return fmt.Sprintf("%s0x1.%xp%d", sign, g.Uint64()>>12, g.IntN(2097)-1074)
	}
	return fmt.Sprintf("%s%d.%de%d%s", sign, g.IntN(1000), g.IntN(100000), g.IntN(40)-20, suffix)
}

// longLiteral is a constant of type long double.
func (g *floating) longLiteral() string {
	sign := [...]string{"", "- "}[g.IntN(2)]
	switch g.IntN(4) {
	case 0:
		return sign + [...]string{"0.0L", "1.0L", "0.5L", "0.1L", "18446744073709551617.0L", "1e-4940L",
			"1.18973149535723176502e4932L"}[g.IntN(7)]
	case 1:
		return fmt.Sprintf("%s0x1.%xp%dL", sign, g.Uint64()>>1<<1, g.IntN(32800)-16440)
	case 2:
		return fmt.Sprintf("%s%d.%de%dL", sign, g.IntN(1000), g.IntN(100000), g.IntN(9800)-4920)
	}
	return fmt.Sprintf("%s%d.%de%dL", sign, g.IntN(1000), g.IntN(100000), g.IntN(40)-20)
}

// widthLiteral is a constant of any type, most often _Float16 or _Float128.
func (g *floating) widthLiteral() string {
	sign := [...]string{"", "- "}[g.IntN(2)]
	switch g.IntN(8) {
	case 0:
		return sign + [...]string{"0.0f16", "1.0f16", "0.1f16", "65504.0F16", "65519.0f16", "6e-8f16", "2049.0f16",
			"0x1p-14f16"}[g.IntN(8)]
	case 1:
		return fmt.Sprintf("%s0x1.%xp%df16", sign, g.IntN(1<<12), g.IntN(44)-26)
	case 2:
		return fmt.Sprintf("%s%d.%df16", sign, g.IntN(100), g.IntN(100000))
	case 3:
		return sign + [...]string{"0.0q", "1.0Q", "0.1f128", "36893488147419103233.0F128", "1e-4960q", "1.2e4932q"}[g.IntN(6)]
	case 4:
		return fmt.Sprintf("%s0x1.%x%07xp%dq", sign, g.Uint64(), g.IntN(1<<28), g.IntN(32880)-16500)
	case 5:
		return fmt.Sprintf("%s%d.%de%df128", sign, g.IntN(1000), g.IntN(100000), g.IntN(40)-20)
	case 6:
		return fmt.Sprintf("%s%d.%de%df", sign, g.IntN(1000), g.IntN(100000), g.IntN(14)-7)
	}
	return fmt.Sprintf("%s%d.%de%d%s", sign, g.IntN(1000), g.IntN(100000), g.IntN(20)-10, [...]string{"", "L"}[g.IntN(2)])
}

// widthNumber is an expression that only programs with _Float16 and _Float128 have.
func (g *floating) widthNumber(a, b string, depth int) string {
	switch g.IntN(9) {
	case 6:
		return fmt.Sprintf("sumh(2, %s, %s * %s)", cast("_Float16", a), cast("_Float16", b), cast("_Float16", a))
	case 7:
		return fmt.Sprintf("sum(2, %s + (double)%s, ({ (double)%s; %s * (double)%s; }))", cast("_Float16", a), b, a,
			cast("_Float16", b), a)
	case 8:
		return fmt.Sprintf("({ %s; (_Float128)%s %c (long double)%s; })", a, a, "+-*/"[g.IntN(4)], b)
	case 0:
		return fmt.Sprintf("(%s %c %s)", cast("_Float16", a), "+-*/"[g.IntN(4)], cast("_Float16", b))
	case 1:
		return fmt.Sprintf("((_Float128)%s %c (long double)%s)", a, "+-*/"[g.IntN(4)], b)
	case 2:
		return fmt.Sprintf("%s(%s)", [...]string{"floorf128", "ceilf128", "truncf128", "roundf128", "rintf128", "sqrtf128",
			"__builtin_fabsf128", "__builtin_fabsf16", "partsq", "logbf128"}[g.IntN(10)], a)
	case 3:
		return fmt.Sprintf("%s(%s, %s)", [...]string{"copysignf128", "fdimf128", "lessh", "lessq",
			"__builtin_copysignf16", "nextafterf128"}[g.IntN(6)], a, b)
	case 4:
		return fmt.Sprintf("fmaf128(%s, %s, %s)", a, b, g.number(depth))
	}
	return fmt.Sprintf("sumq(2, (_Float128)%s, (_Float128)%s)", a, b)
}

// cast is a conversion. What becomes _Float16 is a float before, for GCC 12 goes on with an integer
// itself where that is cast to _Float16.
func cast(t, x string) string {
	if t == "_Float16" {
		return "(_Float16)(float)" + x
	}
	return "(" + t + ")" + x
}

// wide is the type that most operations are made in.
func (g *floating) wide() string {
	if g.other {
		return [...]string{"double", "float", "long double", "_Float16", "_Float128", "_Float128"}[g.IntN(6)]
	}
	if g.long && g.IntN(2) == 0 {
		return "long double"
	}
	return "double"
}

// number is an expression with a floating-point type, or an integer's.
func (g *floating) number(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		if g.IntN(3) > 0 {
			return fmt.Sprintf("v%d", g.IntN(len(g.types)))
		}
		return "(" + g.literal() + ")"
	}
	a := g.number(depth - 1)
	b := g.rounded(g.number(depth-1), a)
	if g.other && g.IntN(3) == 0 {
		return g.widthNumber(a, b, depth-1)
	}
	switch g.IntN(12) {
	case 0, 1, 2, 3, 4, 5:
		op := "+-*/"[g.IntN(4)]
		return fmt.Sprintf("(%s %c %s)", a, op, cast(g.wide(), b))
	case 6:
		return fmt.Sprintf("((float)%s %c (float)%s)", a, "+-*/"[g.IntN(4)], b)
	case 7:
		return fmt.Sprintf("(- %s)", a)
	case 8:
		return fmt.Sprintf("(%s ? %s : (float)%s)", g.condition(depth-1), a, b)
	case 9:
		if g.long && g.IntN(2) == 0 {
			return fmt.Sprintf("%s(%s)", longUnary[g.IntN(len(longUnary))], a)
		}
		return fmt.Sprintf("%s(%s)", floatingUnary[g.IntN(len(floatingUnary))], a)
	case 10:
		if g.long && g.IntN(2) == 0 {
			return fmt.Sprintf("%s(%s, %s)", longBinary[g.IntN(len(longBinary))], a, b)
		}
		return fmt.Sprintf("%s(%s, %s)", floatingBinary[g.IntN(len(floatingBinary))], a, b)
	}
	if g.long && g.IntN(2) == 0 {
		return [...]string{
			fmt.Sprintf("fmal(%s, %s, %s)", a, b, g.number(depth-1)),
			fmt.Sprintf("ldexpl(%s, %d)", a, g.IntN(40000)-20000),
			fmt.Sprintf("suml(2, (long double)%s, (long double)%s)", a, b),
		}[g.IntN(3)]
	}
	return [...]string{
		fmt.Sprintf("fma(%s, %s, %s)", a, b, g.number(depth-1)), fmt.Sprintf("fmaf(%s, %s, %s)", a, b, g.number(depth-1)),
		fmt.Sprintf("ldexp(%s, %d)", a, g.IntN(2400)-1200), fmt.Sprintf("scalbnf(%s, %d)", a, g.IntN(320)-160),
		fmt.Sprintf("sum(2, (double)%s, (double)%s)", a, b),
	}[g.IntN(5)]
}

// rounded is the last operand of an operation: a variable where the rounding mode changes and the others are constants,
// for GCC computes the sum of 1.0 and -1.0 beforehand, whatever the sign of the zero would be.
func (g *floating) rounded(last string, others ...string) string {
	for _, x := range append(others, last) {
		if !g.modes || strings.Contains(x, "v") {
			return last
		}
	}
	return fmt.Sprintf("v%d", g.IntN(4))
}

func (g *floating) condition(depth int) string {
	a, b := g.number(depth), g.number(depth)
	switch g.IntN(6) {
	case 0, 1, 2:
		return fmt.Sprintf("%s %s %s", a, [...]string{"<", "<=", ">", ">=", "==", "!="}[g.IntN(6)], b)
	case 3:
		return fmt.Sprintf("!!__builtin_%s(%s)", [...]string{"isnan", "isinf", "isfinite", "isnormal"}[g.IntN(4)],
			cast([...]string{"float", g.wide()}[g.IntN(2)], a))
	case 4:
		return fmt.Sprintf("__builtin_%s(%s, (float)%s)",
			[...]string{"isgreater", "islessequal", "isless", "isunordered", "islessgreater"}[g.IntN(5)], cast(g.wide(), a), b)
	}
	return "!" + a
}

// statement changes a variable, and tells what it is then.
func (g *floating) statement() {
	v := g.IntN(len(g.types))
	t := g.types[v]
	if v >= 4 {
		g.toInteger(v, t)
		fmt.Fprintf(&g.text, "\tout(v%d);\n", v)
		return
	}
	g.toNumber(v, t)
}

// A numberType is what programs do with one of the types of numbers: the word that its bits are read as, how many of
// its first word's bits are changed, and the function that tells a number.
type numberType struct {
	word string
	bits int
	tell string
}

func typeOf(t string) numberType {
	return map[string]numberType{
		"_Float16":    {"unsigned short", 9, "tellh"},
		"float":       {"unsigned", 20, "tell"},
		"double":      {"unsigned long long", 20, "tell"},
		"long double": {"unsigned long long", 20, "telll"},
		"_Float128":   {"unsigned long long", 9, "tellq"},
	}[t]
}

// toNumber changes a variable of floating point.
func (g *floating) toNumber(v int, t string) {
	is := typeOf(t)
	switch a, n := g.number(1), g.IntN(9); {
	case n < 2:
		fmt.Fprintf(&g.text, "\tv%d %c= %s;\n", v, "+-*/"[g.IntN(4)], a)
	case n == 2:
		fmt.Fprintf(&g.text, "\tv%d%s;\n", v, [...]string{"++", "--"}[g.IntN(2)])
	case n == 3:
		fmt.Fprintf(&g.text, "\t{ union { %s f; %s u[2]; } m; m.f = %s; if (m.f == m.f) m.u[0] ^= %d; v%d = m.f; }\n",
			t, is.word, a, 1<<g.IntN(is.bits), v)
	case n == 4:
		fmt.Fprintf(&g.text, "\t{ %s a[3] = { %s, %s }, b; int k = %d; memcpy(&b, &a[k], sizeof b); v%d = b; }\n",
			t, a, g.number(1), g.IntN(3), v)
	case n == 5:
		fmt.Fprintf(&g.text, "\tif (%s) v%d = %s; else v%d = %s;\n", g.condition(1), v, a, v, g.number(1))
	case n == 6:
		fmt.Fprintf(&g.text, "\tfor (int k = 0; k < %d; k++) v%d = %s;\n", g.IntN(4), v, g.number(2))
	case n == 7 && t == "long double":
		fmt.Fprintf(&g.text, "\t{ struct pair p = { %d, { %s, %s } }, q = p; v%d = second(q, &q.x[%d]) + q.x[%d]; }\n",
			g.IntN(2), a, g.number(1), v, g.IntN(2), g.IntN(2))
	case n == 7 && g.other:
		fmt.Fprintf(&g.text, "\t{ struct widths p = { %s, { %s, %s }, 'x', { 1, %s } }, q = p; "+
			"v%d = second128(q, &q.q[%d]) + q.q[%d]; }\n", g.number(0), a, g.number(1), g.number(0), v, g.IntN(2), g.IntN(2))
	default:
		fmt.Fprintf(&g.text, "\tv%d = %s;\n", v, g.number(2))
	}
	fmt.Fprintf(&g.text, "\t%s(v%d);\n", is.tell, v)
}

// toInteger gives an integer variable a value.
func (g *floating) toInteger(v int, t string) {
	limits := map[string][2]string{"signed char": {"-128", "127"}, "unsigned char": {"0", "255"},
		"short":          {"-32768", "32767"},
		"unsigned short": {"0", "65535"}, "int": {"-2147483648.0", "2147483647"}, "unsigned": {"0", "4294967295.0"},
		"long long": {"-9.2e18", "9.2e18"}, "unsigned long long": {"0", "1.8e19"}}[t]
	switch g.IntN(4) {
	case 0, 1:
		fmt.Fprintf(&g.text, "\t{ %s z = %s; if (z >= %s && z <= %s) v%d = z; }\n", g.wide(), g.number(2),
			limits[0], limits[1], v)
	case 2:
		fmt.Fprintf(&g.text, "\tv%d = %s;\n", v, g.condition(1))
	default:
		fmt.Fprintf(&g.text, "\tv%d = !(%s) + __builtin_fpclassify(0, 1, 4, 3, 2, %s);\n", v, g.condition(1),
			cast([...]string{"float", g.wide()}[g.IntN(2)], g.number(1)))
	}
}
