package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The generator of random projects: what is taken is given back at first, in the many ways in which programs do that,
// and then most projects get a fault or two (mutate). What is true of them says the exploration.

type generator struct {
	r         *rand.Rand
	p         *project
	w         *words
	f         *function
	fresh     int
	resources []maker    // by helpers that were made
	calls     []callable // balanced functions
	busy      []string   // what is held around the statement
	loops     int
}

// A resource is something that is taken and given back. take may fail, and then does what it is given; where that is
// nil it always succeeds.
type resource struct {
	class string // what is alike: one of a class is not taken twice
	take  func(fail func() []*stmt) []*stmt
	free  func() []*stmt
	use   func() []*stmt
	fails bool
}

type maker struct {
	needs string // the type of a pointer that is needed, or nothing
	make  func(on *expr) resource
}

// A callable is a function that leaves all as it was.
type callable struct {
	name    string
	params  []variable
	result  string
	classes []string
}

// An around is what is held around a statement, outermost first, and how many of these around the innermost loop.
type around struct {
	held   []resource
	inLoop bool
	loop   int
}

func newProject(seed uint64, large bool) *project {
	r := rand.New(rand.NewPCG(seed, 37))
	all := allWords()
	w := all[r.IntN(len(all))]
	if r.IntN(2) == 0 {
		w = all[r.IntN(4)]
	}
	g := &generator{r: r, w: w, p: &project{words: w, files: 1 + r.IntN(3)}}
	g.project(large)
	for range []int{0, 0, 1, 1, 1, 2, 3}[r.IntN(7)] {
		g.mutate()
	}
	return g.p
}

func (g *generator) oneIn(n int) bool { return g.r.IntN(n) == 0 }

func pick[T any](g *generator, all []T) T { return all[g.r.IntN(len(all))] }

func (g *generator) name(of string) string {
	g.fresh++
	return fmt.Sprintf("%s%d", of, g.fresh)
}

func (g *generator) project(large bool) {
	g.p.globals = []*global{{"level", "int"}}
	if g.w.lock != "" {
		g.p.globals = append(g.p.globals, &global{"mu", "L"}, &global{"gd", "dev"})
	}
	if g.w.handle != "" {
		g.p.globals = append(g.p.globals, &global{"log", "H"})
	}
	for range 1 + g.r.IntN(3) {
		g.helper()
	}
	n := 2 + g.r.IntN(4)
	if large {
		n += 6 + g.r.IntN(12)
	}
	for range n {
		g.routine()
		if g.oneIn(6) {
			g.useTable()
		}
	}
	if g.oneIn(6) {
		g.begin("main", "int")
		g.body(2, around{})
		g.finish()
	}
	g.spread()
}

// begin begins a function.
func (g *generator) begin(name, result string, params ...variable) {
	g.f = &function{name: name, result: result, params: params, file: g.r.IntN(g.p.files)}
	g.busy, g.loops = nil, 0
}

// finish adds the function to the project.
func (g *generator) finish(body ...[]*stmt) {
	for _, b := range body {
		g.f.body = append(g.f.body, b...)
	}
	g.p.funcs = append(g.p.funcs, g.f)
}

func (g *generator) local(typ, of string) string {
	name := g.name(of)
	g.f.local = append(g.f.local, variable{name, typ})
	return name
}

// spread makes functions static whose names stay in their file.
func (g *generator) spread() {
	for _, f := range g.p.funcs {
		var from []int
		for _, o := range g.p.funcs {
			each(o.body, func(e *expr) {
				if (e.op == "call" || e.op == "func") && e.name == f.name {
					from = append(from, o.file)
				}
			})
		}
		for _, t := range g.p.tables {
			if slices.Contains(t.entries, f.name) {
				from = append(from, 0)
			}
		}
		other := slices.ContainsFunc(from, func(k int) bool { return k != f.file })
		f.static = len(from) > 0 && !other && !g.oneIn(3)
	}
}

// each calls a function for all expressions.
func each(all []*stmt, yield func(*expr)) {
	var walk func(e *expr)
	walk = func(e *expr) {
		if e != nil {
			yield(e)
			for _, a := range e.args {
				walk(a)
			}
		}
	}
	for _, s := range all {
		walk(s.to)
		walk(s.e)
		each(s.body, yield)
		each(s.other, yield)
	}
}

// condition is one over what is there.
func (g *generator) condition() *expr {
	op := pick(g, []string{"==", "!=", "<", ">", ">=", "<="})
	c := node(op, g.number(), num(g.r.IntN(3)))
	if g.oneIn(8) {
		c = node(pick(g, []string{"&&", "||"}), c, node("!=", g.number(), num(g.r.IntN(3))))
	}
	if ds := g.devs(); len(ds) > 1 && g.oneIn(3) {
		c = node(pick(g, []string{"==", "!="}), ds[0], ds[1])
	}
	return c
}

// number is an integer.
func (g *generator) number() *expr {
	all := []*expr{ref("level"), callTo("ready")}
	for _, v := range slices.Concat(g.f.params, g.f.local) {
		if v.typ == "int" {
			all = append(all, ref(v.name), ref(v.name))
		}
	}
	for _, d := range g.devs() {
		all = append(all, field(d, "n"))
	}
	return pick(g, all)
}

// devs are pointers to structures that are parameters.
func (g *generator) devs() (all []*expr) {
	for _, v := range g.f.params {
		if v.typ == "dev*" {
			all = append(all, ref(v.name))
		}
	}
	return all
}

// resource is one that is not held already, mostly.
func (g *generator) resource() (resource, bool) {
	for range 6 {
		r, ok := g.anyResource()
		if ok && (!slices.Contains(g.busy, r.class) || g.oneIn(30)) {
			return r, true
		}
	}
	return resource{}, false
}

func (g *generator) anyResource() (resource, bool) {
	if len(g.resources) > 0 && g.oneIn(2) {
		m := pick(g, g.resources)
		switch m.needs {
		case "":
			return m.make(nil), true
		case "L*":
			l, class := g.lock()
			r := m.make(l)
			r.class = class
			return r, true
		}
		if ds := g.devs(); len(ds) > 0 {
			return m.make(pick(g, ds)), true
		}
		return resource{}, false
	}
	if g.w.handle != "" {
		if g.oneIn(4) {
			return g.structure(), true
		}
		return g.handle(), true
	}
	l, class := g.lock()
	return g.locked(l, class), true
}

// lock is the address of a lock.
func (g *generator) lock() (*expr, string) {
	if g.w.lock == "" {
		return nil, "one"
	}
	if g.oneIn(4) {
		return node("addr", ref("mu")), "mu"
	}
	if g.oneIn(4) {
		return node("addr", field(node("addr", ref("gd")), "lock")), "gd.lock"
	}
	for _, v := range g.f.params {
		if v.typ == "L*" && g.oneIn(2) {
			return ref(v.name), "m"
		}
	}
	if ds := g.devs(); len(ds) > 0 {
		name := pick(g, []string{"lock", "lock", "inner"})
		return node("addr", field(pick(g, ds), name)), name
	}
	return node("addr", ref("mu")), "mu"
}

func about(name string, l *expr) *expr {
	if l == nil {
		return lib(name)
	}
	return lib(name, l.clone())
}

// locked is a lock as it is taken and given back.
func (g *generator) locked(l *expr, class string) resource {
	k := g.r.IntN(max(len(g.w.take), len(g.w.try)))
	give := func() []*stmt { return []*stmt{do(about(g.w.free[min(k, len(g.w.free)-1)], l))} }
	if len(g.w.take) == 0 || len(g.w.try) > 0 && g.oneIn(4) {
		name := g.w.try[min(k, len(g.w.try)-1)]
		return resource{class: class, free: give, fails: true, take: func(fail func() []*stmt) []*stmt {
			return g.attempt(about(name, l), strings.HasPrefix(g.w.libs[name].does, "a") ||
				strings.HasPrefix(g.w.libs[name].does, "try") && g.w.libs[name].does != "try", fail)
		}}
	}
	return resource{class: class, free: give, take: func(func() []*stmt) []*stmt {
		return []*stmt{do(about(g.w.take[min(k, len(g.w.take)-1)], l))}
	}}
}

// attempt is a call that may fail: that gives 0 where it does, or where it does not.
func (g *generator) attempt(e *expr, zeroFails bool, fail func() []*stmt) []*stmt {
	op := "!="
	if zeroFails {
		op = "=="
	}
	if g.oneIn(3) {
		r := g.local("int", "r")
		return []*stmt{set(ref(r), e), when(node(op, ref(r), num(0)), fail()...)}
	}
	return []*stmt{when(node(op, e, num(0)), fail()...)}
}

// handle is one that is opened and closed.
func (g *generator) handle() resource {
	h, name, shut := g.local("H", "h"), pick(g, g.w.open), pick(g, g.w.close)
	return resource{class: h, fails: true, use: func() []*stmt { return g.uses(ref(h)) },
		take: func(fail func() []*stmt) []*stmt {
			return []*stmt{set(ref(h), lib(name)), when(node("bad", ref(h)), fail()...)}
		},
		free: func() []*stmt { return []*stmt{do(lib(shut, ref(h)))} }}
}

// uses uses a handle.
func (g *generator) uses(h *expr) []*stmt {
	if len(g.w.use) == 0 {
		return nil
	}
	if g.w.name == "socket" {
		return g.order(h)
	}
	return []*stmt{do(lib(pick(g, g.w.use), h))}
}

// order binds and listens, or connects and sends.
func (g *generator) order(h *expr) []*stmt {
	a, b := "bind", "listen"
	if g.oneIn(2) {
		a, b = "connect", "send"
	}
	if g.oneIn(6) {
		return []*stmt{do(lib(a, h)), do(lib(b, h.clone()))}
	}
	return []*stmt{when(node("==", lib(a, h), num(0)), do(lib(b, h.clone())))}
}

// structure is one that is allocated and freed.
func (g *generator) structure() resource {
	d := g.local("dev*", "d")
	return resource{class: d, fails: true, use: func() []*stmt { return []*stmt{set(field(ref(d), "n"), num(1))} },
		take: func(fail func() []*stmt) []*stmt {
			return []*stmt{set(ref(d), node("new")), when(node("!", ref(d)), fail()...)}
		},
		free: func() []*stmt { return []*stmt{do(callTo("free", ref(d)))} }}
}

// bail leaves what is around: the function, or a turn of a loop.
func (g *generator) bail(a around) func() []*stmt {
	return func() (all []*stmt) {
		from := 0
		inLoop := a.inLoop && g.oneIn(2)
		if inLoop {
			from = a.loop
		}
		for k := len(a.held) - 1; k >= from; k-- {
			all = append(all, a.held[k].free()...)
		}
		switch {
		case inLoop:
			return append(all, &stmt{op: pick(g, []string{"break", "continue"})})
		case g.f.result == "void":
			return append(all, give(nil))
		}
		return append(all, give(num(-1)))
	}
}

// body is some statements.
func (g *generator) body(depth int, a around) {
	g.f.body = append(g.f.body, g.some(depth, a)...)
	if g.f.result == "int" {
		g.f.body = append(g.f.body, give(num(0)))
	}
}

func (g *generator) some(depth int, a around) (all []*stmt) {
	for range 1 + g.r.IntN(2) {
		all = append(all, g.one(depth, a)...)
	}
	return all
}

func (g *generator) one(depth int, a around) []*stmt {
	switch k := g.r.IntN(14); {
	case k < 5 && depth > 0:
		return g.section(depth, a)
	case k == 5 && depth > 0:
		return []*stmt{either(g.condition(), g.some(depth-1, a), g.some(depth-1, a))}
	case k == 6 && depth > 0 && g.loops == 0:
		return g.loop(depth, a)
	case k == 7 || k == 8:
		return []*stmt{when(g.condition(), g.bail(a)()...)}
	case k == 9 || k == 10:
		if all := g.callOne(); all != nil {
			return all
		}
	case k == 11 && len(a.held) > 0:
		if r := pick(g, a.held); r.use != nil {
			return r.use()
		}
	case k == 12 && g.w.handle == "" && len(g.w.use) > 0 && (len(a.held) == 0 || g.oneIn(4)):
		return []*stmt{do(lib(pick(g, g.w.use)))}
	case k == 13 && g.oneIn(3):
		return []*stmt{when(g.condition(), &stmt{op: "exit"})}
	}
	if ds := g.devs(); len(ds) > 0 && g.oneIn(3) {
		return []*stmt{set(field(pick(g, ds), "n"), num(g.r.IntN(3)))}
	}
	if g.oneIn(3) {
		return []*stmt{set(ref("level"), num(g.r.IntN(3)))}
	}
	return []*stmt{do(callTo("note", num(g.r.IntN(3))))}
}

// loop is a loop over a number, or as long as somebody says so.
func (g *generator) loop(depth int, a around) []*stmt {
	g.loops++
	defer func() { g.loops-- }()
	a.inLoop, a.loop = true, len(a.held)
	if g.oneIn(3) {
		return []*stmt{{op: "while", e: node("==", callTo("ready"), num(1)), body: g.some(depth-1, a)}}
	}
	end := g.number()
	if end.op == "call" {
		end = num(2)
	}
	i := g.local("int", "i")
	return []*stmt{{op: "for", name: i, e: end, body: g.some(depth-1, a)}}
}

// section takes something, does something, and gives it back.
func (g *generator) section(depth int, a around) []*stmt {
	r, ok := g.resource()
	if !ok {
		return []*stmt{do(callTo("note", num(1)))}
	}
	g.busy = append(g.busy, r.class)
	defer func() { g.busy = g.busy[:len(g.busy)-1] }()
	inner := a
	inner.held = append(slices.Clone(a.held), r)
	switch k := g.r.IntN(8); {
	case k == 0 && !r.fails: // only sometimes, by a flag
		held := g.local("int", "held")
		all := []*stmt{when(g.condition(), append(r.take(nil), set(ref(held), num(1)))...)}
		r2 := r
		r2.free = func() []*stmt { return []*stmt{when(node("!=", ref(held), num(0)), r.free()...)} }
		inner.held[len(inner.held)-1] = r2
		all = append(all, g.some(depth-1, inner)...)
		return append(all, r2.free()...)
	case k == 1 && !r.fails: // by one condition, asked twice
		v := g.local("int", "c")
		all := []*stmt{set(ref(v), g.number()), when(node("==", ref(v), num(1)), r.take(nil)...)}
		all = append(all, do(callTo("note", num(0))))
		return append(all, when(node("==", ref(v), num(1)), r.free()...))
	case k == 2 && r.fails: // a failure goes on
		ok := g.local("int", "ok")
		all := append([]*stmt{set(ref(ok), num(1))}, r.take(func() []*stmt { return []*stmt{set(ref(ok), num(0))} })...)
		return append(all, when(node("!=", ref(ok), num(0)), append(g.some(depth-1, inner), r.free()...)...))
	}
	all := r.take(g.bail(a))
	all = append(all, g.some(depth-1, inner)...)
	return append(all, r.free()...)
}

// cleanup leaves by labels at the function's end, of which each gives something back.
func (g *generator) cleanup() []*stmt {
	first, ok := g.resource()
	if !ok {
		return []*stmt{do(callTo("note", num(1)))}
	}
	g.busy = append(g.busy, first.class)
	defer func() { g.busy = g.busy[:len(g.busy)-1] }()
	held, result := []resource{first}, g.local("int", "result")
	labels := []string{g.name("out")}
	all := first.take(g.bail(around{}))
	leave := func() []*stmt {
		return []*stmt{set(ref(result), num(-1)), jump(labels[len(labels)-1])}
	}
	for range g.r.IntN(2) {
		r, ok := g.resource()
		if !ok {
			break
		}
		all = append(all, r.take(leave)...)
		held, labels = append(held, r), append(labels, g.name("out"))
		g.busy = append(g.busy, r.class)
		defer func() { g.busy = g.busy[:len(g.busy)-1] }()
	}
	for range 1 + g.r.IntN(2) {
		if use := held[len(held)-1].use; use != nil && g.oneIn(2) {
			all = append(all, use()...)
		}
		all = append(all, when(g.condition(), leave()...))
		if more := g.callOne(); more != nil {
			all = append(all, more...)
		}
	}
	for k := len(held) - 1; k >= 0; k-- {
		all = append(all, mark(labels[k]))
		all = append(all, held[k].free()...)
	}
	if g.f.result == "void" {
		return all
	}
	return append(all, give(ref(result)))
}

// callOne calls a function that leaves all as it was.
func (g *generator) callOne() []*stmt {
	if len(g.calls) == 0 {
		return nil
	}
	c := pick(g, g.calls)
	if c.name == g.f.name {
		return nil
	}
	for _, class := range c.classes {
		if slices.Contains(g.busy, class) && !g.oneIn(20) {
			return nil
		}
	}
	args, ok := g.arguments(c.params)
	if !ok {
		return nil
	}
	e := callTo(c.name, args...)
	if c.result == "int" && g.oneIn(2) {
		return []*stmt{set(ref("level"), e)}
	}
	return []*stmt{do(e)}
}

func (g *generator) arguments(params []variable) (args []*expr, ok bool) {
	for _, v := range params {
		switch v.typ {
		case "int":
			args = append(args, pick(g, []*expr{num(g.r.IntN(3)), g.number()}))
		case "dev*":
			ds := g.devs()
			if g.w.lock != "" {
				ds = append(ds, node("addr", ref("gd")))
			}
			if len(ds) == 0 {
				return nil, false
			}
			args = append(args, pick(g, ds))
		case "L*":
			l, _ := g.lock()
			args = append(args, l)
		default:
			return nil, false
		}
	}
	return args, true
}

// parameters are some.
func (g *generator) parameters() (all []variable) {
	types := []string{"int", "dev*"}
	if g.w.lock != "" {
		types = append(types, "L*", "dev*")
	}
	for range g.r.IntN(3) {
		all = append(all, variable{g.name("a"), pick(g, types)})
	}
	return all
}

// routine is a function that leaves all as it was.
func (g *generator) routine() {
	switch {
	case g.oneIn(14):
		g.recursive()
		return
	case g.w.handle != "" && g.oneIn(7):
		g.opener()
		return
	case len(g.calls) > 0 && g.oneIn(14):
		g.applier()
		return
	}
	params := g.parameters()
	g.begin(g.name("f"), pick(g, []string{"int", "void"}), params...)
	taken := len(g.p.funcs)
	all := g.some(2, around{})
	if g.oneIn(4) {
		all = append(all, g.cleanup()...)
	}
	if g.oneIn(5) && len(g.devs()) > 0 {
		all = append([]*stmt{when(node("!", g.devs()[0]), g.bail(around{})()...)}, all...)
	}
	if g.f.result == "int" && all[len(all)-1].op != "return" {
		all = append(all, give(num(0)))
	}
	g.finish(all)
	g.know(g.p.funcs[taken])
}

// know lets later functions call one.
func (g *generator) know(f *function) {
	var classes []string
	each(f.body, func(e *expr) {
		switch {
		case e.op == "lib" && len(e.args) == 1 && e.args[0].op == "addr":
			p := e.args[0].args[0]
			classes = append(classes, p.name)
		case e.op == "lib" && g.w.handle == "" && len(e.args) == 0:
			classes = append(classes, "one")
		case e.op == "lib" && len(e.args) == 1 && e.args[0].op == "var" && g.w.lock != "":
			classes = append(classes, "m", "mu", "lock", "inner")
		case e.op == "call":
			for _, c := range g.calls {
				if c.name == e.name {
					classes = append(classes, c.classes...)
				}
			}
		}
	})
	if slices.Contains(classes, "lock") {
		classes = append(classes, "gd.lock")
	}
	g.calls = append(g.calls, callable{f.name, f.params, f.result, classes})
}

// recursive is a function that calls itself.
func (g *generator) recursive() {
	n := variable{g.name("n"), "int"}
	params := append([]variable{n}, g.parameters()...)
	g.begin(g.name("f"), "int", params...)
	args := []*expr{node("-", ref(n.name), num(1))}
	for _, v := range params[1:] {
		args = append(args, ref(v.name))
	}
	again := callTo(g.f.name, args...)
	all := []*stmt{when(node("<=", ref(n.name), num(0)), give(num(0)))}
	all = append(all, g.some(1, around{})...)
	if g.oneIn(2) {
		all = append(all, when(g.condition(), do(again)), give(num(0)))
	} else {
		all = append(all, give(again))
	}
	g.finish(all)
	f := g.f
	g.know(f)
	if g.oneIn(2) {
		g.begin(g.name("f"), "int", params[1:]...)
		args := slices.Clone(args)
		args[0] = num(1 + g.r.IntN(3))
		g.finish([]*stmt{give(callTo(f.name, args...))})
		g.know(g.f)
	}
}

// useTable puts functions into a table and calls one of it, mostly.
func (g *generator) useTable() {
	var entries []string
	var sig string
	var classes []string
	for _, c := range g.calls {
		if len(c.params) == 1 && c.result == "int" && c.params[0].typ != "L*" && (sig == "" || sig == c.params[0].typ) {
			sig, entries, classes = c.params[0].typ, append(entries, c.name), append(classes, c.classes...)
		}
	}
	if len(entries) == 0 {
		return
	}
	g.r.Shuffle(len(entries), func(i, k int) { entries[i], entries[k] = entries[k], entries[i] })
	entries = append(entries, entries[0])[:2]
	t := &table{g.name("hooks"), sig, entries}
	g.p.tables = append(g.p.tables, t)
	if g.oneIn(5) {
		return // only others call them
	}
	g.begin(g.name("f"), "int", variable{g.name("a"), sig}, variable{g.name("k"), "int"})
	call := &expr{op: "icall",
		args: []*expr{{op: "entry", name: t.name, args: []*expr{node(">", ref(g.f.params[1].name), num(1))}},
			ref(g.f.params[0].name)}}
	g.finish([]*stmt{give(call)})
	g.calls = append(g.calls, callable{g.f.name, g.f.params, g.f.result, classes})
}

// applier calls a function that it is given.
func (g *generator) applier() {
	for range 5 {
		c := pick(g, g.calls)
		if len(c.params) != 1 || c.result != "int" || c.params[0].typ == "L*" {
			continue
		}
		sig := c.params[0].typ
		fn, a := variable{g.name("fn"), "fn(" + sig + ")"}, variable{g.name("a"), sig}
		g.begin(g.name("apply"), "int", fn, a)
		g.finish([]*stmt{give(&expr{op: "icall", args: []*expr{ref(fn.name), ref(a.name)}})})
		name := g.f.name
		g.begin(g.name("f"), "int", variable{g.name("a"), sig})
		g.finish([]*stmt{give(callTo(name, &expr{op: "func", name: c.name}, ref(g.f.params[0].name)))})
		g.calls = append(g.calls, callable{g.f.name, g.f.params, g.f.result, c.classes})
		return
	}
}

// opener is a function that hands a handle over, and one that takes it back.
func (g *generator) opener() {
	switch g.r.IntN(3) {
	case 0: // in a variable of all
		g.begin(g.name("start"), "int")
		g.finish([]*stmt{when(node("ok", ref("log")), give(num(0))), set(ref("log"), lib(pick(g, g.w.open))),
			when(node("bad", ref("log")), give(num(-1))), give(num(0))})
		g.begin(g.name("stop"), "void")
		g.finish([]*stmt{when(node("ok", ref("log")), do(lib(g.w.close[0], ref("log")))), set(ref("log"), node("none"))})
	case 1: // in the caller's memory
		out := variable{g.name("out"), "H*"}
		g.begin(g.name("f"), "int", out)
		h := g.local("H", "h")
		g.finish([]*stmt{set(ref(h), lib(pick(g, g.w.open))), when(node("bad", ref(h)), give(num(-1))),
			when(g.condition(), do(lib(g.w.close[0], ref(h))), give(num(-1))),
			set(node("deref", ref(out.name)), ref(h)), give(num(0))})
	default: // as its result
		g.begin(g.name("f"), "H", variable{g.name("a"), "int"})
		h := g.local("H", "h")
		g.finish([]*stmt{set(ref(h), lib(pick(g, g.w.open))), when(node("bad", ref(h)), give(node("none"))),
			when(g.condition(), do(lib(g.w.close[0], ref(h))), give(node("none"))), give(ref(h))})
	}
}
