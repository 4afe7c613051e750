package magus_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The generator of [TestRandomPrograms]: components over few small values, so
// that all their states can be enumerated. What they compute stays small since
// every operand is cut to two bits; nothing is read that was not written.

type generator struct {
	r          *rand.Rand
	components []string
	explored   []explored // of the components, by the oracle
	routines   []routine
	helpers    []string // of type int (int, int)
	returns    bool     // the specification speaks about returns
	b          strings.Builder
	actions    []string
	values     []string // what may be read and written: int, and narrower
	pointers   []string // what may be pointed to
	loops      int
	labels     int
	nesting    int  // of loops around the statement
	inHelper   bool // which calls no other and does not end the component
	indent     int
}

// A routine has no body. Called with arguments that satisfy the guard it
// behaves as the first list of lines, else as the second: it may do one of them.
type routine struct {
	name  string
	guard guard
	lines [2][]line
}

// A guard of abstractions: its text, that of its negation, and what it means.
type guard struct {
	text, not string
	holds     func(a, b int32) bool
}

var guards = []guard{
	{"$1 != 0", "$1 == 0", func(a, _ int32) bool { return a != 0 }},
	{"$1 < $2", "$1 >= $2", func(a, b int32) bool { return a < b }},
	{"$1 > 1 || $2 == 2", "$1 <= 1 && $2 != 2", func(a, b int32) bool { return a > 1 || b == 2 }},
	{"(unsigned)$2 - 1 < 2", "(unsigned)$2 - 1 >= 2", func(_, b int32) bool { return uint32(b)-1 < 2 }},
}

// A line is a sequence of actions and then the return of one of the results.
type line struct {
	actions []string
	results []uint64
}

func (g *generator) pick(xs ...string) string { return xs[g.r.IntN(len(xs))] }

func (g *generator) oneIn(n int) bool { return g.r.IntN(n) == 0 }

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *generator) program() (c, spec string) {
	g.line("_Bool __VERIFIER_nondet_bool(void);\nint __VERIFIER_nondet_int(void);\n" +
		"unsigned char __VERIFIER_nondet_uchar(void);")
	g.line("void __VERIFIER_assume(int);\nvoid __MAGUS_ACTION__(const char *);\nvoid abort(void);\n" +
		"void *malloc(__SIZE_TYPE__);\nvoid free(void *);")
	g.line("struct pair { int a; unsigned char b; };\nint global = %d;", g.r.IntN(3))
	all := [][]string{{"a", "b"}, {"b", "c"}, {"a", "c"}, {"c", "d"}}
	n := 1 + g.r.IntN(4)
	g.returns = g.oneIn(2)
	for i := range g.r.IntN(3) {
		g.routines = append(g.routines, g.routine(i))
		g.line("int %s(int, int);", g.routines[i].name)
	}
	g.actions = []string{"a", "b", "c"}
	for i := range g.r.IntN(3) {
		g.helper(fmt.Sprintf("h%d", i))
	}
	for i := range n {
		g.actions = all[i]
		g.component(fmt.Sprintf("comp%d", i))
	}
	if !g.oneIn(3) {
		g.returns = false
		if learned := g.learned(g.b.String()); learned != "" {
			return g.b.String(), g.abstractions() + learned
		}
	}
	return g.b.String(), g.abstractions() + g.spec()
}

// helper is a function with a body, which is inlined. It changes what its
// second parameter points to.
func (g *generator) helper(name string) {
	g.line("static int %s(int u, int *to) {", name)
	g.indent, g.inHelper, g.loops = 1, true, 2
	g.line("int v = u & 3;")
	g.values, g.pointers = []string{"u", "v", "(*to)", "global"}, nil
	g.block(2)
	g.line("return %s;", g.pick(g.values...))
	g.indent, g.inHelper = 0, false
	g.line("}")
	g.helpers = append(g.helpers, name)
}

// component has three variables, and every other one memory.
func (g *generator) component(name string) {
	g.components = append(g.components, name)
	g.line("int %s(void) {", name)
	g.indent, g.loops = 1, 0
	g.line("int x = %d, y = %d, z = 0;", g.r.IntN(3), g.r.IntN(3))
	g.values, g.pointers = []string{"x", "y", "z"}, []string{"x", "y"}
	if g.oneIn(2) {
		g.memory()
	}
	g.block(3)
	g.line("return %s;", g.pick("x", "x", g.term()))
	g.indent = 0
	g.line("}")
}

func (g *generator) memory() {
	g.values = append(g.values, "global")
	if g.oneIn(2) {
		g.line("int t[2] = { %d, 1 };", g.r.IntN(3))
		g.values = append(g.values, "t[0]", "t[x & 1]")
		g.pointers = append(g.pointers, "t[1]", "t[y & 1]")
	}
	if g.oneIn(2) {
		g.line("struct pair s = { 1, %d };", g.r.IntN(3))
		g.values = append(g.values, "s.a", "s.b")
		g.pointers = append(g.pointers, "s.a")
	}
	if g.oneIn(3) {
		g.line("int *h = malloc(sizeof *h);\n\tif (!h) %s;", g.pick("abort()", "return 3"))
		g.line("*h = %d;", g.r.IntN(3))
		g.values = append(g.values, "(*h)")
		g.pointers = append(g.pointers, "*h")
	}
	if g.oneIn(2) {
		g.line("int *p = &%s;", g.pick(g.pointers...))
		g.values = append(g.values, "(*p)", "(*p)")
	}
	if g.oneIn(3) {
		g.line("%s n = %d;", g.pick("unsigned char", "signed char", "unsigned short", "unsigned"), g.r.IntN(3))
		g.values = append(g.values, "n", "n")
	}
}

func (g *generator) block(depth int) {
	for range 1 + g.r.IntN(4) {
		g.statement(depth)
	}
}

// statement tries statements, each with a weight, until one can be written.
func (g *generator) statement(depth int) {
	kinds := []struct {
		weight int
		write  func(depth int) bool
	}{
		{6, g.act}, {2, g.call}, {2, g.help}, {3, g.any}, {3, g.assign}, {2, g.count}, {3, g.compute}, {5, g.branch},
		{2, g.loop}, {1, g.counted}, {1, g.selection}, {1, g.jump}, {1, g.again}, {1, g.leave}, {2, g.repoint},
	}
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	for {
		at, n := 0, g.r.IntN(total)
		for n >= kinds[at].weight {
			n -= kinds[at].weight
			at++
		}
		if kinds[at].write(depth) {
			return
		}
	}
}

func (g *generator) value() string { return g.pick(g.values...) }

func (g *generator) act(int) bool {
	g.line("__MAGUS_ACTION__(\"%s\");", g.pick(g.actions...))
	return true
}

// call calls a routine that has an abstraction.
func (g *generator) call(int) bool {
	if len(g.routines) == 0 || g.inHelper {
		return false
	}
	result := ""
	if !g.oneIn(4) {
		result = g.value() + " = "
	}
	g.line("%s%s(%s, %s);", result, g.routines[g.r.IntN(len(g.routines))].name, g.term(), g.value())
	return true
}

// help calls a function with a body.
func (g *generator) help(int) bool {
	if len(g.helpers) == 0 || g.inHelper {
		return false
	}
	to := "&" + g.pick(g.pointers...)
	if slices.Contains(g.values, "(*p)") && g.oneIn(2) {
		to = "p"
	}
	g.line("%s = %s(%s, %s);", g.value(), g.pick(g.helpers...), g.term(), to)
	return true
}

// any value of a small domain.
func (g *generator) any(int) bool {
	switch v := g.value(); g.r.IntN(4) {
	case 0:
		g.line("{ int any = __VERIFIER_nondet_int(); __VERIFIER_assume(any >= 0 && any < %d); %s = any; }", 2+g.r.IntN(3), v)
	case 1:
		g.line("{ unsigned char any = __VERIFIER_nondet_uchar(); __VERIFIER_assume(any <= 3); %s = any; }", v)
	default:
		g.line("%s = __VERIFIER_nondet_bool();", v)
	}
	return true
}

func (g *generator) assign(int) bool {
	g.line("%s = %s;", g.value(), g.pick(g.value(), fmt.Sprint(g.r.IntN(4))))
	return true
}

func (g *generator) count(int) bool {
	v := g.value()
	g.line("if (%s %s) %s;", v, g.pick("< 3", "<= 1", "> 0 && "+v+" < 3"), g.pick(v+"++", "++"+v, v+" += 1"))
	return true
}

func (g *generator) compute(int) bool {
	g.line("%s = %s;", g.value(), g.term())
	return true
}

// term computes with two bits of each operand.
func (g *generator) term() string {
	v, w, k := "("+g.value()+" & 3)", "("+g.value()+" & 3)", g.r.IntN(4)
	switch g.r.IntN(14) {
	case 0:
		return fmt.Sprintf("%s %s %s", v, g.pick("+", "-", "*", "^", "|"), w)
	case 1:
		return fmt.Sprintf("%s %s %d", v, g.pick("/", "%"), 1+k)
	case 2:
		return fmt.Sprintf("%s << %s", v, g.pick(w, fmt.Sprint(k)))
	case 3:
		return fmt.Sprintf("-%s >> %d", v, k)
	case 4:
		return "~" + v
	case 5:
		return fmt.Sprintf("(unsigned char)(%s - %d)", v, k)
	case 6:
		return fmt.Sprintf("(signed char)(%s + %d)", v, 125+k)
	case 7:
		return fmt.Sprintf("%s ? %s : %d", g.cond(), w, k)
	case 8:
		return fmt.Sprintf("(unsigned)%s - %du > %s", v, k, w)
	case 9:
		return g.pick("!", "!!") + v
	case 10:
		return fmt.Sprintf("%s %s %s", v, g.pick("==", "<", "&&", "||"), w)
	case 11:
		return fmt.Sprintf("(unsigned)-%s >> %d", v, 28+k)
	}
	return v
}

func (g *generator) cond() string {
	v, w, k := g.value(), g.value(), g.r.IntN(3)
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("%s %s %d", v, g.pick("==", "!=", "<", ">="), k)
	case 3, 4:
		return fmt.Sprintf("%s %s %s", v, g.pick("<", "<=", "==", "!="), w)
	case 5:
		return fmt.Sprintf("%s != %s && %s > 0", v, w, v)
	case 6:
		return fmt.Sprintf("%s || !%s", v, w)
	case 7:
		return fmt.Sprintf("(unsigned)%s < %du", v, 1+k)
	case 8:
		return fmt.Sprintf("(signed char)%s < -%d", v, k)
	case 9:
		return fmt.Sprintf("%s & %d", v, 1+k)
	}
	return v
}

func (g *generator) branch(depth int) bool {
	if depth == 0 {
		return false
	}
	g.line("if (%s) {", g.cond())
	g.inner(depth)
	if g.oneIn(2) {
		g.line("} else {")
		g.inner(depth)
	}
	g.line("}")
	return true
}

func (g *generator) inner(depth int) {
	g.indent++
	g.block(depth - 1)
	g.indent--
}

// loop has any number of turns.
func (g *generator) loop(depth int) bool {
	if depth == 0 || g.loops >= 3 {
		return false
	}
	g.loops++
	cond := g.pick("__VERIFIER_nondet_bool()", g.cond())
	do := g.oneIn(3)
	if do {
		g.line("do {")
	} else {
		g.line("while (%s) {", cond)
	}
	g.nesting++
	g.inner(depth)
	g.nesting--
	if do {
		g.line("} while (%s);", cond)
	} else {
		g.line("}")
	}
	return true
}

// counted has a variable of its own.
func (g *generator) counted(depth int) bool {
	if depth == 0 || g.loops >= 3 {
		return false
	}
	g.loops++
	i := fmt.Sprintf("i%d", g.loops)
	g.line("for (%s %s = 0; %s < %d; %s++) {", g.pick("int", "unsigned char"), i, i, 1+g.r.IntN(3), i)
	g.nesting++
	g.inner(depth)
	g.nesting--
	g.line("}")
	return true
}

// selection is a switch, some of whose cases fall through.
func (g *generator) selection(depth int) bool {
	if depth == 0 {
		return false
	}
	g.line("switch (%s) {", g.value())
	for _, label := range g.r.Perm(4)[:1+g.r.IntN(3)] {
		if label == 3 {
			g.line("default:")
		} else {
			g.line("case %d:", label)
		}
		g.inner(depth)
		if !g.oneIn(3) {
			g.line("\tbreak;")
		}
	}
	g.line("}")
	return true
}

// jump goes over some statements, perhaps out of or into a loop.
func (g *generator) jump(depth int) bool {
	if depth == 0 {
		return false
	}
	g.labels++
	label := fmt.Sprintf("L%d", g.labels)
	g.line("if (%s) goto %s;", g.cond(), label)
	if g.loops < 3 && g.oneIn(3) {
		g.loops++
		g.line("while (%s) {", g.cond())
		g.nesting++
		g.inner(depth)
		g.line("%s:;", label)
		g.inner(depth)
		g.nesting--
		g.line("}")
		return true
	}
	g.block(depth - 1)
	g.line("%s:;", label)
	return true
}

// again goes back.
func (g *generator) again(depth int) bool {
	if depth == 0 || g.loops >= 3 {
		return false
	}
	g.loops++
	g.labels++
	label := fmt.Sprintf("L%d", g.labels)
	g.line("%s:;", label)
	g.block(depth - 1)
	g.line("if (%s) goto %s;", g.pick(g.cond(), "__VERIFIER_nondet_bool()"), label)
	return true
}

// leave ends a loop, a turn of it, the function or the component.
func (g *generator) leave(int) bool {
	switch {
	case g.nesting > 0 && g.oneIn(2):
		g.line("if (%s) %s;", g.cond(), g.pick("break", "continue"))
	case g.inHelper || g.oneIn(3):
		g.line("if (%s) return %s;", g.cond(), g.value())
	case g.oneIn(3):
		g.line("if (%s) abort();", g.cond())
	default:
		return false
	}
	return true
}

// repoint lets a pointer point elsewhere.
func (g *generator) repoint(int) bool {
	if g.inHelper || !slices.Contains(g.values, "(*p)") {
		return false
	}
	g.line("p = %s ? &%s : &%s;", g.cond(), g.pick(g.pointers...), g.pick(g.pointers...))
	return true
}

func (g *generator) routine(i int) routine {
	r := routine{name: fmt.Sprintf("f%d", i), guard: guards[g.r.IntN(len(guards))]}
	for k := range r.lines {
		for range 1 + g.r.IntN(2) {
			l := line{results: [][]uint64{{0}, {1}, {0, 1}, {2, 3}}[g.r.IntN(4)]}
			for range g.r.IntN(3) {
				l.actions = append(l.actions, g.pick("a", "b", "c"))
			}
			r.lines[k] = append(r.lines[k], l)
		}
	}
	return r
}

// abstractions writes the routines in the specification language.
func (g *generator) abstractions() string {
	var b strings.Builder
	for _, r := range g.routines {
		for k, lines := range r.lines {
			var ways []string
			for _, l := range lines {
				way := fmt.Sprintf("return {$0 >= %d && $0 <= %d} -> STOP", l.results[0], l.results[len(l.results)-1])
				for i := range l.actions {
					way = l.actions[len(l.actions)-1-i] + " -> " + way
				}
				ways = append(ways, way)
			}
			fmt.Fprintf(&b, "%s_%d = ( %s ).\n", strings.ToUpper(r.name), k, strings.Join(ways, " | "))
		}
		fmt.Fprintf(&b, "procedure %[1]s { abstract { (%[3]s), %[2]s_0 }; abstract { (%[4]s), %[2]s_1 }; }\n",
			r.name, strings.ToUpper(r.name), r.guard.text, r.guard.not)
	}
	return b.String()
}

func (g *generator) spec() string {
	var b strings.Builder
	n := 1 + g.r.IntN(3)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "S%d = (", i)
		for j := range 1 + g.r.IntN(4) {
			if j > 0 {
				b.WriteString(" |")
			}
			to := fmt.Sprintf("S%d", g.r.IntN(n))
			if g.oneIn(20) {
				to = "ERROR"
			}
			if g.returns && g.oneIn(3) {
				fmt.Fprintf(&b, " %s -> STOP", g.observedReturn())
				continue
			}
			fmt.Fprintf(&b, " %s -> %s", g.pick("a", "b", "c", "a", "b", "c", "d", "tau"), to)
		}
		b.WriteString(" )")
	}
	return b.String() + ".\n" + g.claim()
}

func (g *generator) claim() string {
	ones := strings.TrimSuffix(strings.Repeat("1,", len(g.components)), ",")
	return fmt.Sprintf("program %s { specification s, {%s}, S0; }\n", strings.Join(g.components, ", "), ones)
}

// observedReturn is a return action of a component.
func (g *generator) observedReturn() string {
	of := ""
	if len(g.components) > 1 {
		of = g.pick(g.components...) + ":"
	}
	return fmt.Sprintf("%sreturn {%s}", of, returnConditions[g.r.IntN(len(returnConditions))].text)
}

// returnConditions exclude each other.
var returnConditions = []struct {
	text  string
	holds func(v int32) bool
}{
	{"$0 == 0", func(v int32) bool { return v == 0 }},
	{"$0 == 1", func(v int32) bool { return v == 1 }},
	{"$0 >= 2", func(v int32) bool { return v >= 2 }},
	{"$0 < -1", func(v int32) bool { return v < -1 }},
}
