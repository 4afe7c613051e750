package interp_test

// Random C programs in the integer fragment, for comparing with a compiler.
//
// A program's result is defined by the implementation that is compared with
// (gcc -fwrapv): no unsequenced side effects on what is read elsewhere, no
// shift by the width or more, no division by zero or of the least value by -1,
// no reads before the first assignment; all loops and backward jumps are
// bounded by counters of their own. Expressions carry the sets of objects that
// they read and write so that operands whose order C leaves open do not meet.

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
)

// A cvar is an object that a program may name.
type cvar struct {
	id   int // names can hide each other, ids cannot
	name string
	typ  string
	set  bool // may be assigned to by the program at large
}

// effects are the objects read and written, by id.
type effects struct{ reads, writes map[int]bool }

func newEffects() effects { return effects{map[int]bool{}, map[int]bool{}} }

func (e effects) add(o effects) {
	maps.Copy(e.reads, o.reads)
	maps.Copy(e.writes, o.writes)
}

// apart reports whether two expressions may stand unsequenced.
func (e effects) apart(o effects) bool {
	for w := range e.writes {
		if o.reads[w] || o.writes[w] {
			return false
		}
	}
	for w := range o.writes {
		if e.reads[w] {
			return false
		}
	}
	return true
}

// A cfunc is a function that may be called; its effects are those on objects
// that live longer than the call.
type cfunc struct {
	name   string
	result string
	params []string
	eff    effects
}

var ctypes = []string{"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
	"unsigned", "long", "unsigned long",
	"long long", "unsigned long long", "int", "unsigned", "tiny", "word", "enum colour", "enum level"}

// cprelude declares what all programs share.
const cprelude = `typedef signed char tiny;
typedef unsigned short word;
enum colour { RED, GREEN = 5, BLUE };
enum level { LOW = -3, MID, HIGH = 'a' };
void out(long long);
void __MAGUS_ACTION__(const char *);
void reach_error(void);
void abort(void);
void exit(int);
void __VERIFIER_assume(int);
`

// cnondet declares the sources of any value; for the compiler they are macros.
const cnondet = `int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
_Bool __VERIFIER_nondet_bool(void);
`

// A cgen writes one program.
type cgen struct {
	*rand.Rand
	id     int // of the program, part of all outer names
	next   int // object ids and numbers in names
	text   strings.Builder
	indent int
	scope  []cvar
	funcs  []cfunc
	eff    effects // of the function being written
	repeat int     // nesting of what is executed repeatedly
	loops  int     // nesting of loops
	sw     int     // nesting of switches
	budget int     // statements left in the function
	labels []string
	result string // the function's result type
}

// cprogram is a program of its own: globals, helpers and an entry procedure
// p<id> without parameters.
func cprogram(id int, seed int64) (text, entry string) {
	g := &cgen{Rand: rand.New(rand.NewSource(seed)), id: id}
	for range g.Intn(4) {
		v := g.object("g", true)
		storage := g.pick("", "static ")
		if g.Intn(5) == 0 {
			g.line("%s%s %s;", storage, v.typ, v.name)
		} else {
			if g.Intn(5) == 0 {
				g.line("%s %s %s;", g.pick(storage, map[string]string{"": "extern", "static ": "static"}[storage]), v.typ, v.name)
			}
			g.line("%s%s %s = %s;", storage, v.typ, v.name, g.constant(2))
		}
	}
	for range g.Intn(3) {
		g.function(fmt.Sprintf("f%d_%d", id, len(g.funcs)), g.Intn(4), 5)
	}
	entry = fmt.Sprintf("p%d", id)
	g.function(entry, 0, 9)
	return g.text.String(), entry
}

func (g *cgen) line(format string, args ...any) {
	g.text.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.text, format, args...)
	g.text.WriteByte('\n')
}

func (g *cgen) pick(from ...string) string { return from[g.Intn(len(from))] }

func (g *cgen) ctype() string { return ctypes[g.Intn(len(ctypes))] }

// object makes a new object; it comes into scope, where set says whether it
// may be assigned to.
func (g *cgen) object(prefix string, set bool) cvar {
	g.next++
	v := cvar{g.next, fmt.Sprintf("%s%d_%d", prefix, g.id, g.next), g.ctype(), set}
	g.scope = append(g.scope, v)
	return v
}

// function writes a definition and makes it callable.
func (g *cgen) function(name string, params, budget int) {
	f := cfunc{name: name, result: g.ctype(), eff: newEffects()}
	if params > 0 && g.Intn(6) == 0 {
		f.result = "void"
	}
	outer := len(g.scope)
	var decls []string
	for range params {
		v := g.object("a", true)
		f.params = append(f.params, v.typ)
		decls = append(decls, v.typ+" "+v.name)
	}
	g.eff, g.budget, g.labels, g.result = newEffects(), budget, nil, f.result
	if params == 0 {
		decls = []string{"void"}
	}
	static := g.pick("", "static ", "static inline ", "__attribute__((noinline)) ")
	if g.Intn(4) == 0 {
		g.line("%s%s %s(%s);", static, f.result, name, strings.Join(decls, ", "))
	}
	g.line("%s%s %s(%s) {", static, f.result, name, strings.Join(decls, ", "))
	g.indent++
	g.locals(f.eff)
	for g.budget > 0 {
		g.statement(3)
		g.label()
	}
	for _, l := range g.labels {
		g.line("%s: ;", l)
	}
	for _, v := range g.scope {
		if v.set && g.Intn(2) == 0 {
			g.read(v)
			g.line("out(%s);", v.name)
		}
	}
	g.returns(2)
	g.indent--
	g.line("}")
	for _, v := range g.scope[:outer] {
		f.eff.reads[v.id] = f.eff.reads[v.id] || g.eff.reads[v.id]
		f.eff.writes[v.id] = f.eff.writes[v.id] || g.eff.writes[v.id]
	}
	f.eff.clean()
	g.scope = g.scope[:outer]
	g.funcs = append(g.funcs, f)
}

// returns ends the function.
func (g *cgen) returns(depth int) {
	if g.result == "void" {
		g.line("return;")
		return
	}
	g.line("return %s;", g.value(depth))
}

func (e effects) clean() {
	maps.DeleteFunc(e.reads, func(_ int, b bool) bool { return !b })
	maps.DeleteFunc(e.writes, func(_ int, b bool) bool { return !b })
}

// locals declares the function's objects; static ones outlive it. Any output
// is an effect too, on the object 0.
func (g *cgen) locals(outlive effects) {
	outlive.reads[0], outlive.writes[0] = true, true
	for range 1 + g.Intn(4) {
		switch g.Intn(8) {
		case 0:
			v := g.object("s", true)
			g.line("static %s %s = %s;", v.typ, v.name, g.constant(1))
			outlive.reads[v.id], outlive.writes[v.id] = true, true
		case 1:
			v := g.object("u", true)
			g.line("%s %s;", v.typ, v.name)
			g.scope = g.scope[:len(g.scope)-1]
			g.line("%s = %s;", v.name, g.value(1))
			g.scope = append(g.scope, v)
		case 2:
			init := g.value(1)
			v := g.object("c", false)
			g.line("const %s %s = %s;", v.typ, v.name, init)
		case 3: // two at once, the second from the first
			init := g.value(1)
			v := g.object("d", true)
			init2 := g.value(2)
			w := g.object("d", true)
			w.typ = v.typ
			g.scope[len(g.scope)-1] = w
			g.line("%s %s = %s, %s = %s;", v.typ, v.name, init, w.name, init2)
		default:
			init := g.value(2)
			v := g.object("v", true)
			g.line("%s%s %s = %s;", g.pick("", "", "register "), v.typ, v.name, init)
		}
	}
}

func (g *cgen) read(v cvar) { g.eff.reads[v.id] = true }

// label sets a label that a goto before it wants, or one for a bounded jump
// back.
func (g *cgen) label() {
	for len(g.labels) > 0 && g.Intn(2) == 0 {
		g.line("%s: ;", g.labels[0])
		g.labels = g.labels[1:]
	}
	if g.budget > 1 && g.Intn(8) == 0 {
		g.next++
		n := g.next
		g.line("int k%d = 0;", n)
		g.line("back%d:", n)
		g.repeat++
		g.block(2)
		g.repeat--
		g.line("if (k%d++ < %d) goto back%d;", n, g.Intn(4), n)
	}
}

// block writes a block with up to a few statements and perhaps a declaration
// that hides an outer one.
func (g *cgen) block(depth int) {
	outer := g.scope
	g.scope = slices.Clone(outer)
	g.line("{")
	g.indent++
	if g.Intn(3) == 0 {
		init := g.value(1)
		hide := g.Intn(3) == 0 && len(g.scope) > 0
		v := g.object("b", true)
		if hide {
			i := g.Intn(len(g.scope) - 1)
			if g.scope[i].set { // counters of loops are still needed
				g.scope[len(g.scope)-1].name = g.scope[i].name
				v.name = g.scope[i].name
				g.scope = slices.Delete(g.scope, i, i+1)
				init = g.constant(1)
			}
		}
		g.line("%s %s = %s;", v.typ, v.name, init)
	}
	for range 1 + g.Intn(3) {
		g.statement(depth - 1)
	}
	g.indent--
	g.line("}")
	g.scope = outer
}

func (g *cgen) statement(depth int) {
	g.budget--
	if depth <= 0 {
		g.simple()
		return
	}
	switch k := g.Intn(15); {
	case k < 5:
		g.simple()
	case k < 8:
		g.line("if (%s)", g.value(3))
		g.block(depth)
		if g.Intn(2) == 0 {
			g.line("else")
			g.block(depth)
		}
	case k == 8 && g.repeat < 2:
		g.loop(depth)
	case k == 9:
		g.switches(depth)
	case k == 10:
		g.block(depth)
	case k == 11:
		g.next++
		l := fmt.Sprintf("on%d", g.next)
		g.labels = append(g.labels, l)
		g.line("if (%s) goto %s;", g.value(2), l)
	case k == 12 && g.loops > 0:
		g.line("if (%s) %s;", g.value(2), g.pick("break", "continue"))
	case k == 14:
		g.jumps()
	case k == 13 && g.Intn(3) == 0:
		g.line("if (%s)", g.value(2))
		g.returns(1)
	default:
		g.simple()
	}
}

// simple writes an expression statement or an output.
func (g *cgen) simple() {
	switch k := g.Intn(10); {
	case k < 2:
		g.line("out(%s);", g.value(3))
		return
	case k == 2:
		g.line("%s;", g.value(3))
		return
	case k == 4 && g.Intn(2) == 0:
		g.intrinsic()
		return
	case k == 3:
		if text, eff, ok := g.call(2, newEffects(), true); ok {
			g.eff.add(eff)
			g.line("%s;", text)
			return
		}
	}
	if text, eff, ok := g.assignment(3, newEffects()); ok {
		g.eff.add(eff)
		g.line("%s;", text)
		return
	}
	g.line(";")
}

// intrinsic writes an action, or an end of the program that seldom comes.
func (g *cgen) intrinsic() {
	seldom := fmt.Sprintf("(%s) %% 100 == %d", g.value(2), g.Intn(9))
	switch g.Intn(6) {
	case 0:
		g.line("__VERIFIER_assume(!(%s));", seldom)
	case 1:
		g.line("if (%s) %s;", seldom, g.pick("abort()", "exit(3)"))
	case 2:
		g.line("if (%s) reach_error();", seldom)
	default:
		g.line("__MAGUS_ACTION__(\"%s\");", g.pick("lock", "unlock"))
	}
}

// jumps writes jumps into the middle of a branch, a loop and a switch's block.
func (g *cgen) jumps() {
	g.next++
	n := g.next
	switch g.Intn(4) {
	case 0:
		g.line("if (%s) goto in%d;", g.value(2), n)
		g.line("if (%s) {", g.value(2))
		g.simple()
		g.line("in%d:", n)
	case 1:
		g.line("int n%d = 0;", n)
		g.line("switch (%s & 3) {", g.value(1))
		g.line("case 0: do {")
		g.simple()
		g.line("case 1:")
		g.simple()
		g.line("default:")
		g.simple()
		g.line("} while (++n%d < %d);", n, 1+g.Intn(3))
	case 2:
		g.line("switch (%s) {", g.value(2))
		g.line("case 0:")
		g.line("if (%s)", g.value(2))
		g.line("case 2:")
		g.simple()
		g.line("else")
		g.line("default:")
		g.simple()
	case 3:
		g.line("for (int n%d = 0, m%d = %s;; n%d++, m%d--) {", n, n, g.value(1), n, n)
		g.line("if (n%d > %d || m%d == 3) break;", n, g.Intn(4), n)
		g.line("if (%s) continue; else", g.value(1))
	}
	g.simple()
	g.line("}")
}

func (g *cgen) loop(depth int) {
	g.next++
	i := cvar{g.next, fmt.Sprintf("i%d", g.next), "int", false}
	n := 1 + g.Intn(4)
	g.loops++
	g.repeat++
	outer := g.scope
	switch g.Intn(3) {
	case 0:
		g.scope = append(slices.Clone(outer), i)
		g.line("for (int %s = 0; %s < %d; %s)", i.name, i.name, n, g.pick(i.name+"++", i.name+" += 1", "++"+i.name))
		g.block(depth)
	case 1:
		g.line("int %s = %d;", i.name, n)
		cond := g.value(2)
		g.scope = append(slices.Clone(outer), i)
		g.line("while (%s-- > 0 && %s)", i.name, cond)
		g.block(depth)
	case 2:
		g.line("int %s = 0;", i.name)
		g.line("do")
		g.scope = append(slices.Clone(outer), i)
		g.block(depth)
		g.scope = outer
		g.line("while (++%s < %d && %s);", i.name, n, g.value(2))
	}
	g.scope = outer
	g.loops--
	g.repeat--
}

func (g *cgen) switches(depth int) {
	g.line("switch (%s) {", g.pick(g.value(2), "("+g.value(2)+") & 3", "(tiny)("+g.value(2)+")"))
	g.sw++
	labels := []string{"default:", "case 0:", "case 1:", "case -1:", "case GREEN:", "case 2 ... 4:",
		"case 'a':", "case 0x7fffffff:", "case sizeof(int) << 1:"}
	g.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	for _, l := range labels[:1+g.Intn(len(labels))] {
		if strings.Contains(l, "...") && g.Intn(2) == 0 {
			l = "case 3:"
		}
		g.line("%s", l)
		if g.Intn(4) > 0 {
			g.block(depth - 1)
		} else {
			g.line(";")
		}
		if g.Intn(2) == 0 {
			g.line("break;")
		}
	}
	g.sw--
	g.line("}")
}
