package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// VariadicPrelude is what programs of [Variadic] need in front.
const VariadicPrelude = "#include <stdarg.h>\nvoid out(long long);\n"

// Variadic is a random program of calls with variable arguments of all kinds, which their callees take by va_arg, from
// a copy, by a procedure that is given the list or a pointer to it, up to the last one or less: types and an
// entry procedure p<id> of type int (void).
func Variadic(id int, seed uint64) (text, entry string) {
	g := &variadic{Rand: rand.New(rand.NewPCG(seed, 21)), id: id}
	entry = fmt.Sprintf("p%d", id)
	fmt.Fprintf(&g.text, "struct va%d { char c; short s; int i; };\nstruct vb%d { long w[%d]; struct va%d in; };\n",
		id, id, 1+g.IntN(3), id)
	fmt.Fprintf(&g.text, "enum ve%d { VA%d, VB%d = 7 };\nstatic int twice%d(int x) { return 2 * x; }\n", id, id, id,
		id)
	g.taker()
	g.starter()
	fmt.Fprintf(&g.text, "int %s(void)\n{\n\tint k = %d, m = 2;\n\tchar c = -3;\n\tunsigned char u = 200;\n",
		entry, g.IntN(9))
	g.line("struct va%d a = { 1, -2, 3 };\n\tstruct vb%d b = { { 4 }, { 5, 6, 7 } };", id, id)
	for range 2 + g.IntN(3) {
		g.call()
	}
	g.line("out(k);\n\tout(m);\n\treturn m;\n}")
	return g.text.String(), entry
}

type variadic struct {
	*rand.Rand
	id   int
	text strings.Builder
}

func (g *variadic) line(format string, args ...any) { fmt.Fprintf(&g.text, "\t"+format+"\n", args...) }

// A variadicKind is one of the kinds of arguments: how it is taken into s, and what is passed.
type variadicKind struct {
	letter string
	take   string
	pass   []string
}

// kinds are those of arguments; a $ stands for the number of the program.
func (g *variadic) kinds() []variadicKind {
	return []variadicKind{
		{"i", "s += va_arg(ap, int);", []string{"k", "c", "u", "(short)-5", "VB$", "1 == 1", "a.s", "(_Bool)m"}},
		{"u", "s ^= va_arg(ap, unsigned);", []string{"7u", "sizeof(int) == 4 ? 9u : 1u", "(unsigned)k"}},
		{"l", "s -= va_arg(ap, long);", []string{"5L", "(long)k", "b.w[0]"}},
		{"L", "s += va_arg(ap, long long);", []string{"0x100000001LL", "-k * 3LL"}},
		{"p", "{ int *t = va_arg(ap, int *); if (t) s += (*t)++; }", []string{"&k", "&m", "&a.i", "(int *)0"}},
		{"q", "*va_arg(ap, char *) += 1;", []string{"&c", "&a.c"}},
		{"a", "{ struct va$ t = va_arg(ap, struct va$); s += t.c * 3 + t.s + t.i; }",
			[]string{"a", "b.in", "(struct va$){ 9, 8, k }"}},
		{"b", "s += va_arg(ap, struct vb$).in.s;", []string{"b"}},
		{"f", "s = va_arg(ap, int (*)(int))((int)s & 255);", []string{"twice$"}},
		{"d", "(void)va_arg(ap, double);", []string{"1.5", "2.5f"}},
		{"e", "s += va_arg(ap, enum ve$) == VB$;", []string{"VB$", "VA$"}},
	}
}

func (g *variadic) of(texts ...string) string {
	return strings.ReplaceAll(texts[g.IntN(len(texts))], "$", fmt.Sprint(g.id))
}

// taker writes the procedure that takes arguments from a list, as letters say.
func (g *variadic) taker() {
	fmt.Fprintf(&g.text, "static int one%d(va_list *p) { return va_arg(*p, int); }\n", g.id)
	fmt.Fprintf(&g.text, "static long long take%d(const char *f, va_list given)\n{\n\tlong long s = 0;\n", g.id)
	g.line("va_list ap; /* a parameter is not passed on by its address: it may be one itself */\n\tva_copy(ap, given);")
	g.line("for (; *f; f++)\n\t\tswitch (*f) {")
	for _, k := range g.kinds() {
		fmt.Fprintf(&g.text, "\t\tcase '%s': %s break;\n", k.letter, g.of(k.take))
	}
	fmt.Fprintf(&g.text, "\t\tcase 'o': s += one%d(&ap); break;\n", g.id)
	g.line("\t}\n\tva_end(ap);\n\treturn s;\n}")
	fmt.Fprintf(&g.text, "static long long pass%d(const char *f, va_list ap)\n{\n", g.id)
	g.line("return *f == 'i' ? 2 * va_arg(ap, int) + take%d(f + 1, ap) : take%d(f, ap);\n}", g.id, g.id)
}

// starter writes the procedures with variable arguments.
func (g *variadic) starter() {
	fmt.Fprintf(&g.text, "static long long all%d(const char *f, ...)\n{\n\tva_list ap, copy;\n\tva_start(ap, f);\n", g.id)
	switch g.IntN(3) {
	case 0:
		g.line("va_copy(copy, ap);\n\tlong long r = take%d(f, ap);\n\tva_end(ap);", g.id)
		g.line("r = 3 * r + take%d(\"\", copy);\n\tva_end(copy);\n\treturn r;\n}", g.id)
	case 1:
		g.line("long long r = take%d(\"\", ap);\n\tr += pass%d(f, ap);\n\tva_end(ap);\n\treturn r;\n}", g.id, g.id)
	default:
		g.line("long long r = take%d(f, ap);\n\tva_end(ap);\n\tva_start(ap, f);", g.id)
		g.line("if (f[0] == 'i') r += 10 * va_arg(ap, int);\n\tva_end(ap);\n\treturn r;\n}")
	}
	fmt.Fprintf(&g.text, "static long long first%d(int n, ...)\n{\n\tlong long s = n;\n", g.id)
	g.line("va_list ap;\n\tva_start(ap, n);")
	g.line("while (n-- > 0)\n\t\ts = 10 * s + %s;", g.of("va_arg(ap, int)", "one$(&ap)"))
	g.line("va_end(ap);\n\treturn s;\n}")
}

// call writes a call.
func (g *variadic) call() {
	if g.IntN(3) == 0 {
		n := g.IntN(4)
		args := []string{fmt.Sprint(n)}
		for range n + g.IntN(2) {
			args = append(args, g.of(g.kinds()[0].pass...))
		}
		g.line("out(first%d(%s));", g.id, strings.Join(args, ", "))
		return
	}
	var format strings.Builder
	var args []string
	kinds := g.kinds()
	for range g.IntN(5) {
		k := kinds[g.IntN(len(kinds))]
		letter := k.letter
		if letter == "i" && g.IntN(3) == 0 {
			letter = "o"
		}
		format.WriteString(letter)
		args = append(args, g.of(k.pass...))
	}
	for range g.IntN(2) { // nobody takes it
		args = append(args, g.of(kinds[g.IntN(len(kinds))].pass...))
	}
	f := fmt.Sprintf("all%d", g.id)
	if g.IntN(4) == 0 {
		f = fmt.Sprintf("(k > 3 ? all%d : &all%d)", g.id, g.id)
	}
	g.line("out(%s(%s));", f, strings.Join(append([]string{fmt.Sprintf("%q", format.String())}, args...), ", "))
}
