package rules_test

import "slices"

// The exploration of all runs of a random project from a root. It shares nothing with magus: it interprets the abstract
// syntax, and what is open in a run (inputs, results of calls, where pointers from outside point) is a choice. A run is
// the list of its choices; all lists are gone through in order, each from the beginning.
//
// Inputs are few values, as conditions compare with 0, 1 and 2 only. Those of an integer are a set that is
// narrowed when a condition is asked. Pointers are chosen when they are looked at.
//
// With coincidences more may be equal: handles and pointers that come from outside with each other and with
// what the run makes. What only these break is debatable: the documents say that such values may be any.

// Bounds of an exploration. What they cut off is told.
const (
	mostRuns  = 20000
	mostSteps = 3000
	mostDepth = 6 // of calls of one function in each other
	mostTurns = 3 // of loops that ask somebody else
)

// inputs are the values that an integer from outside may have.
var inputs = []int{-1, 0, 1, 2, 3, 4, 5}

// An integer is a set of these, a bit each, until it is asked for.
type integer struct{ set uint }

// A token is a handle, or memory.
type token struct {
	outside bool
	heap    *object // memory that is a structure
	gone    bool    // memory that was freed
}

// An object is a structure, a variable or all variables of a call, by their names.
type object struct {
	typ     string // of structures and single variables
	cells   map[string]*cell
	stack   bool
	heap    *token // allocated
	freed   bool
	outside bool // made by others: what it has is any
	single  bool // one variable
}

type cell struct {
	typ string
	v   *value
}

// A value is an integer, a handle, a pointer or a function. Handles and pointers from outside are open at first.
type value struct {
	kind  byte // i, h, p, f; u for undefined
	n     int
	sym   *integer
	open  bool // not chosen yet
	token *token
	to    *object
	field string // of what a pointer to a member points to
	typ   string // of what a pointer points to
	name  string // of a function
}

func number(n int) *value { return &value{kind: 'i', n: n} }

// A stop ends a run.
type stop struct{ why string }

// A place is a line.
type place struct {
	file string
	line int
}

// A breach is a rule that is broken at a place.
type breach struct {
	rule string
	at   place
}

// An explorer explores the runs from one root.
type explorer struct {
	p            *project
	coincidences bool
	breaches     map[breach]bool
	cut          bool // runs were left out
	unfit        bool // something without a value is read
	ended        bool // some run returned
	called       map[string]bool

	choices, most []int
	at            int

	globals map[string]*object
	objects []*object
	tokens  []*token
	watch   []monitor
	steps   int
	depth   map[string]int
	where   place
}

// explore gives what runs from a root break.
func explore(p *project, root string, coincidences bool) *explorer {
	x := &explorer{p: p, coincidences: coincidences, breaches: map[breach]bool{}, called: map[string]bool{}}
	for runs := 0; ; runs++ {
		if runs == mostRuns {
			x.cut = true
			return x
		}
		x.run(p.function(root))
		for len(x.choices) > 0 && x.choices[len(x.choices)-1]+1 == x.most[len(x.choices)-1] {
			x.choices, x.most = x.choices[:len(x.choices)-1], x.most[:len(x.most)-1]
		}
		if len(x.choices) == 0 {
			return x
		}
		x.choices[len(x.choices)-1]++
	}
}

// choose is one of n.
func (x *explorer) choose(n int) int {
	if n == 1 {
		return 0
	}
	if x.at == len(x.choices) {
		x.choices, x.most = append(x.choices, 0), append(x.most, n)
	}
	x.at++
	return x.choices[x.at-1]
}

// run is one run.
func (x *explorer) run(root *function) {
	x.at, x.steps, x.objects, x.tokens, x.depth = 0, 0, nil, nil, map[string]int{}
	x.globals, x.watch = map[string]*object{}, nil
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			x.cut = x.cut || s.why == "cut"
			x.unfit = x.unfit || s.why == "unfit"
		}
	}()
	for _, name := range x.p.words.rules {
		x.watch = append(x.watch, newMonitor(name, x))
	}
	for _, g := range x.p.globals {
		o := &object{typ: g.typ, outside: true, cells: map[string]*cell{}, single: g.typ != "dev"}
		if root.name == "main" {
			o.outside = false
			x.zero(o)
		}
		x.globals[g.name] = o
		x.objects = append(x.objects, o)
	}
	var args []*value
	for i, v := range root.params {
		if v.typ == "dev*" || v.typ == "L*" || v.typ == "H*" {
			var same []*value
			for k, o := range root.params[:i] {
				if o.typ == v.typ && !slices.Contains(same, args[k]) {
					same = append(same, args[k])
				}
			}
			if c := x.choose(1 + len(same)); c > 0 {
				args = append(args, same[c-1])
				continue
			}
		}
		args = append(args, x.fromOutside(v.typ))
	}
	result := x.call(root, args)
	x.ended = true
	for _, m := range x.watch {
		m.end(result)
	}
}

// zero gives all of a structure or variable the value that it has without an initialiser, handles none.
func (x *explorer) zero(o *object) {
	if o.typ != "dev" {
		o.cells["*"] = &cell{o.typ, x.nothing(o.typ)}
		return
	}
	o.cells["n"], o.cells["peer"] = &cell{"int", number(0)}, &cell{"dev*", &value{kind: 'p', typ: "dev"}}
	if x.p.words.handle != "" {
		o.cells["h"] = &cell{"H", &value{kind: 'h'}}
		if x.p.words.none == "-1" {
			o.cells["h"].v = &value{kind: 'u'}
		}
	}
}

func (x *explorer) nothing(typ string) *value {
	switch typ {
	case "int":
		return number(0)
	case "H":
		return &value{kind: 'h'}
	case "L":
		return nil
	}
	return &value{kind: 'p', typ: typ[:len(typ)-1]}
}

// fromOutside is any value of a type.
func (x *explorer) fromOutside(typ string) *value {
	switch typ {
	case "int":
		return &value{kind: 'i', sym: &integer{1<<len(inputs) - 1}}
	case "H":
		return &value{kind: 'h', open: true}
	case "fn(dev*)", "fn(int)":
		panic("roots have no functions as parameters")
	}
	return &value{kind: 'p', open: true, typ: typ[:len(typ)-1]}
}

// look chooses what an open handle or pointer is; a pointer that is followed is not null.
func (x *explorer) look(v *value, followed bool) {
	if v.kind == 'u' {
		panic(stop{"unfit"})
	}
	if !v.open {
		return
	}
	v.open = false
	if !followed && x.choose(2) == 1 {
		return // none
	}
	if v.kind == 'h' {
		v.token = x.handle(true)
		return
	}
	var same []place2
	if x.coincidences {
		same = x.alike(v.typ)
	}
	if c := x.choose(1 + len(same)); c > 0 {
		v.to, v.field = same[c-1].o, same[c-1].field
		return
	}
	v.to = &object{typ: v.typ, outside: true, cells: map[string]*cell{}, single: v.typ != "dev"}
	if v.to.single {
		v.field = "*"
	}
	x.objects = append(x.objects, v.to)
}

type place2 struct {
	o     *object
	field string
}

// alike are what pointers to a type may point to.
func (x *explorer) alike(typ string) (all []place2) {
	for _, o := range x.objects {
		switch {
		case o.typ == typ && !o.single:
			all = append(all, place2{o, ""})
		case o.typ == typ:
			all = append(all, place2{o, "*"})
		case o.typ == "dev" && typ == "L":
			all = append(all, place2{o, "lock"}, place2{o, "inner"})
		case o.typ == "dev" && typ == "H":
			all = append(all, place2{o, "h"})
		}
	}
	return all
}

// handle is a new one, or with coincidences one that is there.
func (x *explorer) handle(outside bool) *token {
	if x.coincidences {
		if c := x.choose(1 + len(x.tokens)); c > 0 {
			return x.tokens[c-1]
		}
	}
	t := &token{outside: outside}
	x.tokens = append(x.tokens, t)
	return t
}

// member is a variable of a structure, or a single one.
func (x *explorer) member(o *object, name string) *cell {
	if o.freed {
		x.used(o.heap)
		panic(stop{"freed memory"})
	}
	c, ok := o.cells[name]
	if !ok {
		typ := o.typ
		if !o.single {
			typ = map[string]string{"n": "int", "h": "H", "peer": "dev*", "lock": "L", "inner": "L"}[name]
		}
		c = &cell{typ: typ}
		switch {
		case typ == "L":
		case o.outside:
			c.v = x.fromOutside(typ)
		default:
			c.v = &value{kind: 'u'}
		}
		o.cells[name] = c
	}
	return c
}

// used says that memory is used.
func (x *explorer) used(t *token) {
	for _, m := range x.watch {
		m.call("store", "use", t, 0)
	}
}

// call runs a function.
func (x *explorer) call(f *function, args []*value) *value {
	x.called[f.name] = true
	if x.depth[f.name]++; x.depth[f.name] > mostDepth {
		panic(stop{"cut"})
	}
	frame := &object{stack: true, cells: map[string]*cell{}}
	for i, v := range f.params {
		frame.cells[v.name] = &cell{v.typ, args[i]}
	}
	for _, v := range f.local {
		frame.cells[v.name] = &cell{v.typ, x.nothing(v.typ)}
	}
	r := &frameOf{x, f, frame, nil}
	how, label := r.block(f.body)
	for how == "goto" {
		i := slices.IndexFunc(f.body, func(s *stmt) bool { return s.op == "label" && s.name == label })
		how, label = r.block(f.body[i:])
	}
	if how == "" {
		x.where = place{fileName(f.file), f.end}
		r.result = &value{kind: 'u'}
	}
	x.depth[f.name]--
	return r.result
}

// A frameOf is a call under way.
type frameOf struct {
	*explorer
	f      *function
	vars   *object
	result *value
}

// block runs statements; how says how they end: by "" at their end, break, continue, return or goto a label.
func (r *frameOf) block(all []*stmt) (how, label string) {
	for _, s := range all {
		if how, label = r.stmt(s); how != "" {
			return how, label
		}
	}
	return "", ""
}

func (r *frameOf) here(s *stmt) {
	if r.steps++; r.steps > mostSteps {
		panic(stop{"cut"})
	}
	r.where = place{fileName(r.f.file), s.line}
}

func (r *frameOf) stmt(s *stmt) (how, label string) {
	r.here(s)
	switch s.op {
	case "do":
		r.eval(s.e)
	case "set":
		v := r.eval(s.e)
		r.here(s)
		r.place(s.to).v = v
	case "if":
		if r.truth(s.e) {
			return r.block(s.body)
		}
		return r.block(s.other)
	case "for", "while":
		return r.loop(s)
	case "return":
		if s.e != nil {
			r.result = r.eval(s.e)
		}
		r.here(s)
		return "return", ""
	case "goto":
		return "goto", s.name
	case "exit":
		panic(stop{"exit"})
	case "break", "continue":
		return s.op, ""
	}
	return "", ""
}

// loop runs a loop.
func (r *frameOf) loop(s *stmt) (how, label string) {
	if s.op == "for" {
		r.vars.cells[s.name].v = number(0)
	}
	for turn := 0; ; turn++ {
		if s.op == "for" {
			r.here(s)
			if !r.compare("<", r.vars.cells[s.name].v, r.eval(s.e)) {
				return "", ""
			}
		} else if r.here(s); !r.truth(s.e) {
			return "", ""
		} else if turn == mostTurns {
			panic(stop{"cut"})
		}
		switch how, label = r.block(s.body); how {
		case "break":
			return "", ""
		case "return", "goto":
			return how, label
		}
		if s.op == "for" {
			c := r.vars.cells[s.name]
			c.v = number(r.concrete(c.v) + 1)
		}
	}
}

// concrete is an integer itself.
func (r *frameOf) concrete(v *value) int {
	if v.kind == 'u' {
		panic(stop{"unfit"})
	}
	if v.sym == nil {
		return v.n
	}
	var left []int
	for i, n := range inputs {
		if v.sym.set&(1<<i) != 0 {
			left = append(left, i, n)
		}
	}
	c := r.choose(len(left) / 2)
	v.sym.set = 1 << left[2*c]
	return left[2*c+1]
}

// compare compares two integers.
func (r *frameOf) compare(op string, a, b *value) bool {
	if a.kind == 'u' || b.kind == 'u' {
		panic(stop{"unfit"})
	}
	if a.sym == nil || b.sym != nil {
		return holds(op, r.concrete(a), r.concrete(b))
	}
	var yes uint
	for i, n := range inputs {
		if holds(op, n, b.n) {
			yes |= 1 << i
		}
	}
	no := a.sym.set &^ yes
	yes &= a.sym.set
	if no == 0 || yes != 0 && r.choose(2) == 0 {
		a.sym.set = yes
		return true
	}
	a.sym.set = no
	return false
}

func holds(op string, a, b int) bool {
	switch op {
	case "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// truth is a condition.
func (r *frameOf) truth(e *expr) bool {
	switch e.op {
	case "!":
		return !r.truth(e.args[0])
	case "&&":
		return r.truth(e.args[0]) && r.truth(e.args[1])
	case "||":
		return r.truth(e.args[0]) || r.truth(e.args[1])
	case "ok", "bad":
		v := r.eval(e.args[0])
		r.look(v, false)
		return (v.token != nil) == (e.op == "ok")
	case "==", "!=", "<", "<=", ">", ">=":
		a, b := r.eval(e.args[0]), r.eval(e.args[1])
		if a.kind != 'p' {
			return r.compare(e.op, a, b)
		}
		r.look(a, false)
		r.look(b, false)
		return (a.to == b.to && a.field == b.field) == (e.op == "==")
	}
	v := r.eval(e)
	if v.kind == 'p' {
		r.look(v, false)
		return v.to != nil
	}
	return r.compare("!=", v, number(0))
}

// place is the variable that an expression denotes.
func (r *frameOf) place(e *expr) *cell {
	switch e.op {
	case "var":
		if c, ok := r.vars.cells[e.name]; ok {
			return c
		}
		return r.member(r.globals[e.name], "*")
	case "field":
		return r.member(r.pointee(e.args[0]), e.name)
	}
	p := r.eval(e.args[0]) // deref
	r.follow(p)
	return r.member(p.to, p.field)
}

// pointee is the structure to which a pointer points.
func (r *frameOf) pointee(e *expr) *object {
	p := r.eval(e)
	r.follow(p)
	return p.to
}

// follow lets a pointer not be null.
func (r *frameOf) follow(p *value) {
	r.look(p, true)
	if p.kind != 'p' {
		panic(stop{"unfit"})
	}
	if p.to == nil {
		panic(stop{"null pointer"})
	}
}

// address is a pointer to a variable.
func (r *frameOf) address(e *expr) *value {
	switch e.op {
	case "var":
		if c, ok := r.vars.cells[e.name]; ok {
			return &value{kind: 'p', to: r.vars, field: e.name, typ: c.typ}
		}
		o := r.globals[e.name]
		if o.single {
			return &value{kind: 'p', to: o, field: "*", typ: o.typ}
		}
		return &value{kind: 'p', to: o, typ: o.typ}
	case "field":
		o := r.pointee(e.args[0])
		return &value{kind: 'p', to: o, field: e.name, typ: r.member(o, e.name).typ}
	}
	return r.eval(e.args[0])
}

// eval is the value of an expression. Conditions are 0 or 1.
func (r *frameOf) eval(e *expr) *value {
	switch e.op {
	case "int":
		return number(e.n)
	case "none":
		return &value{kind: 'h'}
	case "null":
		return &value{kind: 'p', typ: "dev"}
	case "func":
		return &value{kind: 'f', name: e.name}
	case "var", "field", "deref":
		return r.place(e).v
	case "addr":
		return r.address(e.args[0])
	case "entry":
		t := r.p.table(e.name)
		i := r.concrete(r.eval(e.args[0]))
		if i < 0 || i >= len(t.entries) {
			panic(stop{"beyond the table"})
		}
		return &value{kind: 'f', name: t.entries[i]}
	case "-", "+":
		a, b := r.concrete(r.eval(e.args[0])), r.concrete(r.eval(e.args[1]))
		if e.op == "-" {
			return number(a - b)
		}
		return number(a + b)
	case "call", "icall", "lib", "new":
		return r.calls(e)
	}
	if r.truth(e) {
		return number(1)
	}
	return number(0)
}

// calls is a call.
func (r *frameOf) calls(e *expr) *value {
	var args []*value
	for _, a := range e.args {
		args = append(args, r.eval(a))
	}
	at := r.where
	switch {
	case e.op == "lib":
		return r.library(e.name, args)
	case e.op == "new":
		return r.allocate(at)
	case e.op == "icall":
		f := r.p.function(args[0].name)
		v := r.explorer.call(f, args[1:])
		r.where = at
		return v
	case e.name == "ready":
		return r.fromOutside("int")
	case e.name == "note":
		return &value{kind: 'u'}
	case e.name == "free":
		r.dispose(args[0])
		return &value{kind: 'u'}
	}
	v := r.explorer.call(r.p.function(e.name), args)
	r.where = at
	return v
}

// allocate is a new structure, or none.
func (r *frameOf) allocate(place) *value {
	if r.choose(2) == 1 {
		return &value{kind: 'p', typ: "dev"}
	}
	o := &object{typ: "dev", cells: map[string]*cell{}}
	o.heap = &token{heap: o}
	r.zero(o)
	for _, m := range r.watch {
		m.call("new", "new", o.heap, 0)
	}
	return &value{kind: 'p', to: o, typ: "dev"}
}

// dispose frees a structure.
func (r *frameOf) dispose(p *value) {
	r.look(p, false)
	if p.kind != 'p' {
		panic(stop{"unfit"})
	}
	if p.to == nil {
		return
	}
	if p.to.heap == nil {
		if !p.to.outside || p.to.stack {
			panic(stop{"no allocated memory"})
		}
		p.to.heap = &token{heap: p.to, outside: true}
	}
	for _, m := range r.watch {
		m.call("free", "close", p.to.heap, 0)
	}
	if p.to.freed {
		panic(stop{"freed twice"})
	}
	p.to.freed = true
}

// among chooses one of two numbers, with coincidences one of all.
func (r *frameOf) among(all ...int) int {
	if !r.coincidences {
		all = all[:2]
	}
	return all[r.choose(len(all))]
}

// library is a call of a function of the library.
func (r *frameOf) library(name string, args []*value) *value {
	does := r.p.words.libs[name].does
	var on any
	if len(args) == 1 {
		if on = r.object(args[0]); on == nil && (does == "use" && !r.p.words.fails || r.p.words.nullStops) {
			panic(stop{"nothing there"})
		}
		if t, ok := on.(*token); ok && t.gone && does == "use" {
			if r.used(t); !r.p.words.fails {
				panic(stop{"freed memory"})
			}
		}
	}
	result := number(0)
	switch does {
	case "try": // 0, or another number
		result = number(r.among(0, 1, 2, 3))
	case "attempt", "tryread", "trywrite":
		result = number(r.among(1, 0, 2, -1))
	case "signal", "bind", "listen", "connect":
		result = number([]int{0, -1}[r.choose(2)])
	case "open":
		result = &value{kind: 'h'}
		if r.choose(2) == 0 {
			result.token = r.opened()
			on = result.token
		}
	}
	for _, m := range r.watch {
		m.call(name, does, on, result.n)
	}
	return result
}

// opened is the handle that a call gives: a new one, or one that the rule does not know to be open.
func (r *frameOf) opened() *token {
	t := r.handle(false)
	for _, m := range r.watch {
		if m.open(t) {
			panic(stop{"open already"})
		}
	}
	return t
}

// object is what a call is about: a lock, or a handle; nil for none.
func (r *frameOf) object(v *value) any {
	if v.kind == 'p' {
		r.follow(v)
		return place2{v.to, v.field}
	}
	r.look(v, false)
	if v.token == nil {
		return nil
	}
	return v.token
}
