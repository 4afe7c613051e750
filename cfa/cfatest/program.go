package cfatest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Prelude declares what all programs share. NULL is theirs.
const Prelude = `enum tone { LOW, MIDDLE = 4, HIGH };
void out(long long);
void __MAGUS_ACTION__(const char *);
void abort(void);
void *malloc(__SIZE_TYPE__);
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *realloc(void *, __SIZE_TYPE__);
void free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
#define NULL ((void *)0)
#define offsetof(t, m) __builtin_offsetof(t, m)
`

// Nondet declares the source of any value, unless it is a macro.
const Nondet = "int __VERIFIER_nondet_int(void);\n"

// An object is a variable in scope.
type object struct {
	name string
	typ  *ctype
	// level is the nesting of blocks it lives in: 0 outlives the function, and
	// so does what pointers other than local variables point to. Those point to
	// objects of their own level at most.
	level int
	fixed bool // may not be assigned to
}

// A callee is a function that may be called.
type callee struct {
	name   string
	result *ctype // nil: void
	params []*ctype
}

// A generator writes functions and their statements.
type generator struct {
	*terms
	callees []callee
	budget  int // of statements
	idioms  *idioms
}

// Program is a random program: types, globals, functions, and an entry
// procedure p<id> of type int (void) with some more than size statements. Names
// have the number in them, so that many programs fit into one text.
func Program(id int, seed uint64, size int) (text, entry string) {
	t := &terms{writer: &writer{Rand: rand.New(rand.NewPCG(seed, 3)), id: id}}
	g := &generator{terms: t, idioms: &idioms{terms: t}}
	for range 1 + g.IntN(3) {
		g.define(g.newRecord())
	}
	for range 1 + g.IntN(2) {
		g.simpleFunction()
	}
	for range 2 + g.IntN(4) {
		g.global()
	}
	for _, write := range []func(){g.idioms.lender, g.idioms.visitor, g.idioms.maker, g.idioms.queuer, g.idioms.keeper} {
		if g.IntN(3) == 0 {
			write()
		}
	}
	for range g.IntN(3) {
		g.helper(size / 2)
	}
	entry = fmt.Sprintf("p%d", id)
	g.function(callee{name: entry, result: integer}, size)
	return g.text.String(), entry
}

// anyType is a type of an object.
func (g *terms) anyType() *ctype {
	switch k := g.IntN(12); {
	case k < 3:
		return scalars[g.IntN(len(scalars))]
	case k < 6:
		return g.records[g.IntN(len(g.records))]
	case k == 6:
		return arrayOf(scalars[g.IntN(len(scalars))], 2<<g.IntN(2))
	case k == 7:
		return arrayOf(g.records[g.IntN(len(g.records))], 2)
	case k == 8:
		return function
	case k == 9:
		return arrayOf(function, 2)
	case k == 10:
		return pointerTo(scalars[g.IntN(len(scalars))])
	}
	return pointerTo(g.records[g.IntN(len(g.records))])
}

// simpleFunction writes a target for function pointers.
func (g *generator) simpleFunction() {
	name := g.name("op")
	g.line("static int %s(int x) { return %s; }", name, g.pick("x + 1", "x * 3", "x > 2", "-x", "x & 5 | 2"))
	g.simple = append(g.simple, name)
}

// global writes a global with an initialiser or without.
func (g *generator) global() {
	o := object{name: g.name("g"), typ: g.anyType()}
	init := ""
	if g.IntN(3) > 0 {
		init = " = " + g.initializer(o.typ)
	}
	g.line("%s%s%s;", g.pick("", "static "), o.typ.declare(o.name), init)
	g.scope = append(g.scope, o)
}

// initializer is a constant initialiser; what it leaves out is zero.
func (g *terms) initializer(t *ctype) string {
	switch t.kind {
	case pointer:
		for _, o := range g.scope {
			if o.level == 0 && same(o.typ, t.elem) && g.IntN(2) == 0 {
				return "&" + o.name
			}
		}
		return "0"
	case code:
		return g.pick(append(slices.Clone(g.simple), "0")...)
	case array:
		if g.IntN(3) == 0 {
			return fmt.Sprintf("{ [%d] = %s }", g.IntN(t.n), g.initializer(t.elem))
		}
		var all []string
		for range 1 + g.IntN(t.n) {
			all = append(all, g.initializer(t.elem))
		}
		return "{ " + strings.Join(all, ", ") + " }"
	case record:
		f := t.fields[g.IntN(len(t.fields))]
		if strings.HasPrefix(t.name, "union") || g.IntN(3) == 0 {
			return fmt.Sprintf("{ .%s = %s }", f.name, g.initializer(f.typ))
		}
		var all []string
		for _, f := range t.fields[:1+g.IntN(len(t.fields))] {
			all = append(all, g.initializer(f.typ))
		}
		return "{ " + strings.Join(all, ", ") + " }"
	}
	return fmt.Sprint(g.IntN(12) - 3)
}

// helper writes a function with parameters of any type that has values.
func (g *generator) helper(size int) {
	f := callee{name: g.name("f")}
	value := func() *ctype {
		for {
			if t := g.anyType(); t.kind != array {
				return t
			}
		}
	}
	if g.IntN(4) > 0 {
		f.result = value()
	}
	for range 1 + g.IntN(3) {
		f.params = append(f.params, value())
	}
	g.function(f, size)
	g.callees = append(g.callees, f)
}

// function writes a definition.
func (g *generator) function(f callee, budget int) {
	outer := len(g.scope)
	result, params := "void", []string{}
	for _, t := range f.params {
		o := object{name: g.name("a"), typ: t, level: 1}
		params = append(params, t.declare(o.name))
		g.scope = append(g.scope, o)
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	head := fmt.Sprintf("%s(%s)", f.name, strings.Join(params, ", "))
	if f.result != nil {
		if f.result.kind == code { // by a name of its own
			alias := g.name("code")
			g.line("typedef %s;", f.result.declare(alias))
			result, head = "", alias+" "+head
		} else {
			result, head = "", f.result.declare(head)
		}
	}
	g.line("%s%s {", strings.TrimSpace(result+" "), " "+head)
	g.indent++
	for range 1 + g.IntN(4) {
		g.local()
	}
	for g.budget = budget; g.budget > 0; {
		g.statement(2)
	}
	if len(f.params) == 0 {
		g.observe()
	}
	if f.result != nil {
		g.returns(f.result)
	}
	g.indent--
	g.line("}")
	g.scope = g.scope[:outer]
}

// returns writes the end of a function.
func (g *generator) returns(t *ctype) {
	switch t.kind {
	case scalar:
		g.line("return %s;", g.value(2))
	case record:
		name := g.name("r")
		g.line("%s = { 0 };", t.declare(name))
		if from, ok := g.lvalue(same, t, false); ok {
			g.line("if (%s) %s = %s;", from.guard(), name, from.text)
		}
		g.line("return %s;", name)
	default:
		g.line("return %s;", g.address(t, 0))
	}
}

// local writes a local variable, set as a whole.
func (g *generator) local() {
	o := object{name: g.name("v"), typ: g.anyType(), level: g.indent}
	switch o.typ.kind {
	case scalar:
		g.line("%s = %s;", o.typ.declare(o.name), g.value(2))
	case pointer, code:
		g.line("%s = %s;", o.typ.declare(o.name), g.address(o.typ, o.level))
	default:
		static := ""
		if g.IntN(5) == 0 {
			static, o.level = "static ", 0
		}
		g.line("%s%s = %s;", static, o.typ.declare(o.name), g.initializer(o.typ))
	}
	g.scope = append(g.scope, o)
}

// observe tells the scalars of all objects in scope, as far as they are found
// at once.
func (g *generator) observe() {
	for _, o := range g.scope {
		for range 3 {
			if p, ok := g.walk(o, func(t *ctype) bool { return t.kind == scalar }); ok {
				g.line("out(%s);", p.value())
			}
		}
	}
}
