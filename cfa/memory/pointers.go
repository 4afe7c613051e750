package memory

// What pointers may point to: from the draft of an automaton to the inclusions of
// package pointsto.
//
// Idea: every variable that is wide enough for an address has a node, cells are
// the contents of their objects, and terms are read as arithmetic on addresses:
// a constant in an object is its address, what is added to it moves it. The
// statements on memory are loads and stores. What other code may know flows to
// World: arguments of routines without a body. What is read or written bit by bit,
// and numbers that become pointers, stand in provenance.go.
//
// Cells of memory without a type are made by accesses, which are known only
// when pointers are; so the analysis is repeated until no access makes another
// one. Cost: that of pointsto, a few times.

import (
	"context"
	"iter"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// pointers is one run of the analysis.
type pointers struct {
	a           *Analysis
	g           *pointsto.Problem
	ids         []pointsto.Object            // of the objects
	objects     []*Object                    // by their ids; nil for those that are none
	vars        map[*expr.Expr]pointsto.Node // of variables that are no cells
	leaves      map[*leaf]pointsto.Node
	terms       map[*expr.Expr]pointsto.Node
	spans       map[*Object][]pointsto.Node
	used        map[cfa.Loc][]pointsto.Node   // the addresses that a statement uses
	held        map[cfa.Loc][]pointsto.Node   // addresses in structures that a call is given
	exposed     pointsto.Node                 // the addresses that are known as numbers
	apart       pointsto.Node                 // those to which distances lead
	guessed     pointsto.Node                 // those that pointers are compared with
	parted      []pointsto.Node               // those of which a part is taken
	far         bool                          // some pointer is moved from one object to another
	differences [][2]pointsto.Node            // of addresses
	given       map[cfa.Loc][][]pointsto.Node // what the arguments of a call of a body hold
	byType      map[*Type]pointsto.Node       // see named
	marks       map[pointsto.Object]mark      // of the parameters of bodies
	solution    *pointsto.Solution
	functions   map[*expr.Expr][]*Object // those with a body whose addresses are in a term
	taken       map[cfa.Loc][]*Object    // those whose addresses a statement has; anyTime: what else has
	now         cfa.Loc                  // the statement that is entered
	// reachable answers what can be reached, once that was asked.
	reachable *pointsto.Reach
}

// none is the node of what holds no address.
const none pointsto.Node = -1

func newPointers(a *Analysis) *pointers {
	return &pointers{a: a, g: pointsto.NewProblem(), byType: map[*Type]pointsto.Node{},
		marks: map[pointsto.Object]mark{}, now: anyTime,
		functions: map[*expr.Expr][]*Object{}, taken: map[cfa.Loc][]*Object{}, given: map[cfa.Loc][][]pointsto.Node{},
		vars: map[*expr.Expr]pointsto.Node{}, leaves: map[*leaf]pointsto.Node{}, terms: map[*expr.Expr]pointsto.Node{},
		spans: map[*Object][]pointsto.Node{}, used: map[cfa.Loc][]pointsto.Node{}, held: map[cfa.Loc][]pointsto.Node{}}
}

// solve finds what the pointers of the draft may point to.
func (p *pointers) solve(ctx context.Context) (err error) {
	p.exposed = p.g.Node()
	p.g.Anywhere(p.exposed, p.exposed)
	p.apart, p.guessed = p.g.Node(), p.g.Node()
	p.g.Anywhere(p.guessed, p.guessed)
	for _, b := range p.a.Model.objects {
		p.object(b)
	}
	for _, b := range p.a.Model.objects {
		p.contents(b)
	}
	p.entry()
	for i := range p.a.code.Len() {
		if err := p.a.code.Err(); err != nil {
			return err
		}
		if p.now = cfa.Loc(i); p.a.code.IsOutOfLine(p.now) {
			p.now = anyTime
		}
		p.statement(cfa.Loc(i))
	}
	p.now = anyTime
	p.expose()
	p.distances()
	p.anything()
	for _, b := range p.a.allBodies() {
		p.markParameters(b)
	}
	p.solution, err = p.g.Solve(ctx)
	return err
}

// object enters an object.
func (p *pointers) object(b *Object) {
	size := uint64(b.size)
	if b.function || b.unbounded {
		size = 0
	}
	o := p.g.Object(size)
	p.ids = append(p.ids, o)
	p.objects = append(p.objects, make([]*Object, int(o)+1-len(p.objects))...)
	p.objects[o] = b
	if b.external {
		p.g.Surround(o)
		if b.untyped && b.arguments == nil {
			p.g.Merge(o, 0, size-1)
		}
	}
	for _, s := range b.spans {
		p.g.Merge(o, uint64(s.at/8), uint64(s.end/8-1))
	}
}

// at is the object of an id, or nil.
func (p *pointers) at(o pointsto.Object) *Object {
	if int(o) >= len(p.objects) {
		return nil
	}
	return p.objects[o]
}

// contents declares the parts of an object that may hold addresses.
func (p *pointers) contents(b *Object) {
	o := p.ids[b.number]
	for _, s := range b.spans {
		n := p.g.Node()
		p.g.Contents(o, uint64(s.at/8), n)
		p.spans[b] = append(p.spans[b], n)
		p.inBits(n, b.foreign, b.leaks)
	}
	if b.unbounded {
		n := p.g.Node()
		p.g.Contents(o, 0, n)
		p.spans[b] = append(p.spans[b], n)
		p.inBits(n, b.foreign, b.leaks)
	}
	for _, lf := range b.leaves {
		if !p.holds(lf) {
			continue
		}
		overlaps := len(b.overlapping(lf.Extent)) > 0
		if lf.foreign && !b.external {
			p.g.Copy(p.leafNode(b, lf), p.guessed)
		}
		p.inBits(p.leafNode(b, lf), (lf.t.Class == Pointer || lf.pointer) && (lf.foreign || overlaps), lf.leaks || overlaps)
	}
}

// holds reports whether a leaf may hold an address.
func (p *pointers) holds(lf *leaf) bool {
	return lf.kind == kindInt && lf.at%8 == 0 && p.a.wide(lf.t.Type)
}

// leafNode is the node of a leaf.
func (p *pointers) leafNode(b *Object, lf *leaf) pointsto.Node {
	n, ok := p.leaves[lf]
	if !ok {
		n = p.g.Node()
		p.leaves[lf] = n
		p.g.Contents(p.ids[b.number], uint64(lf.at/8), n)
	}
	return n
}

// entry gives pointers their targets at the start.
func (p *pointers) entry() {
	a := p.a
	for _, v := range a.anyAtEntry() {
		if own := a.own[v]; own != nil {
			p.g.AddressOf(p.variable(v), p.ids[own.number], 0)
		} else {
			p.g.Copy(p.variable(v), pointsto.World)
		}
	}
	for _, b := range a.objects {
		if b.external || b.global != nil && b.global.Var == nil && !b.starts() {
			for _, lf := range b.leaves {
				switch {
				case !p.holds(lf):
				case lf.own != nil:
					p.g.AddressOf(p.leafNode(b, lf), p.ids[lf.own.number], 0)
				case lf.t.Class == Pointer || b.arguments != nil:
					p.g.Copy(p.leafNode(b, lf), pointsto.World)
				}
			}
			for _, n := range p.spans[b] {
				p.g.Copy(n, pointsto.World)
			}
		}
		for _, lf := range b.leaves {
			if b.owned && lf.own != nil && p.holds(lf) {
				p.g.AddressOf(p.leafNode(b, lf), p.ids[lf.own.number], 0)
			}
		}
		if b.global != nil && b.global.Var != nil {
			continue // an assignment
		}
		for _, in := range b.inits {
			p.initial(b, in)
		}
	}
	for _, g := range a.globals {
		p.may(g)
	}
	for _, b := range a.escapedAtStart() {
		p.tellWorld(b)
	}
}

// may are the addresses that parts of a global may still have from its initialiser.
func (p *pointers) may(g *Global) {
	for _, in := range g.May {
		n := pointsto.World
		if in.Value != nil {
			n = p.term(in.Value)
		}
		switch {
		case n == none:
		case g.Var == nil:
			p.holdsAtStart(g.Object, in.Extent, n)
		case p.a.wide(g.Var.Type()):
			p.g.Copy(p.variable(g.Var), n)
		}
	}
}

// initial is the value of a part of an object at the start.
func (p *pointers) initial(b *Object, in Initial) {
	if in.Value == nil {
		return
	}
	if n := p.value(in.Value, true); n != none {
		p.holdsAtStart(b, in.Extent, n)
	}
}

// holdsAtStart gives a part of an object what a node has.
func (p *pointers) holdsAtStart(b *Object, e Extent, n pointsto.Node) {
	for i, s := range b.spans {
		if s.at <= e.at && e.at < s.end {
			p.g.Copy(p.spans[b][i], n)
		}
	}
	if lf := b.find(e); lf != nil && p.holds(lf) {
		p.g.Copy(p.leafNode(b, lf), n)
	}
}

// variable is the node of a variable.
func (p *pointers) variable(v *expr.Expr) pointsto.Node {
	if c, ok := p.a.cells[v]; ok && p.holds(c.leaf) {
		return p.leafNode(c.Object, c.leaf)
	}
	n, ok := p.vars[v]
	if !ok {
		n = p.g.Node()
		p.vars[v] = n
	}
	return n
}

// term is the node of a term's value; none if it holds no address.
func (p *pointers) term(t *expr.Expr) pointsto.Node {
	n, ok := p.terms[t]
	if !ok {
		n = p.newTerm(t)
		p.terms[t] = n
		p.findFunctions(t)
	}
	p.take(p.functions[t]...)
	return n
}

// value is the node of a term that is stored. A number that a program writes
// as a pointer is the address of memory that is not modelled.
func (p *pointers) value(t *expr.Expr, pointer bool) pointsto.Node {
	n := p.term(t)
	if !pointer || !p.mayBeNumber(t) {
		return n
	}
	if p.a.opt.CheckPointers { // the address of nothing
		return n
	}
	if n == none {
		return p.unknown()
	}
	m := p.g.Node()
	p.g.Copy(m, n)
	p.g.AddressOf(m, pointsto.Unknown, 0)
	return m
}

func (p *pointers) unknown() pointsto.Node {
	n := p.g.Node()
	p.g.AddressOf(n, pointsto.Unknown, 0)
	return n
}

// mayBeNumber reports whether a term may be a constant that is no address.
func (p *pointers) mayBeNumber(t *expr.Expr) bool {
	switch t.Op() {
	case expr.Const:
		b, _ := p.a.ObjectOf(t)
		return b == nil && t.Value() >= nullPage
	case expr.Ite:
		return p.mayBeNumber(t.Args()[1]) || p.mayBeNumber(t.Args()[2])
	}
	return false
}

// statement adds what one statement does to addresses.
func (p *pointers) statement(at cfa.Loc) {
	a := p.a
	for _, r := range a.refs(at) {
		p.used[at] = append(p.used[at], p.address(r))
	}
	used := p.used[at]
	switch s := a.code.At(at).Stmt.(type) {
	case cfa.Assign:
		p.assign(s)
		p.narrowed(s.RHS)
		if t, ok := a.returned[at]; ok { // of __VERIFIER_nondet_
			p.g.Copy(p.variable(s.LHS), p.named(t))
		}
	case cfa.Call:
		if b := a.bodies[at]; b != nil {
			p.callBody(at, s, b)
			return
		}
		p.passed(at, s.Args, a.passed[at], used)
		p.returnedBy(at, s.LHS)
	case UnknownCall:
		p.passed(at, s.Args, s.Passed, used)
		for _, f := range s.Called {
			if n := p.term(f); n != none {
				p.held[at] = append(p.held[at], n)
			}
		}
		p.returnedBy(at, s.LHS)
		if s.Own != nil {
			p.g.AddressOf(pointsto.World, p.ids[s.Own.number], 0)
		}
	case Load:
		if n := used[0]; n != none && s.LHS != nil && a.wide(s.LHS.Type()) {
			p.g.Load(p.variable(s.LHS), n)
			p.inBits(p.variable(s.LHS), a.foreign[s.LHS] && a.pointers[s.LHS], false)
		}
	case Store:
		p.narrowed(s.Val)
		if n := used[0]; n != none && s.Val != nil {
			if v := p.value(s.Val, s.To.Scalar.Class == Pointer); v != none {
				p.g.Store(n, v)
				p.inBits(v, false, a.leaks[at])
			}
		}
	case Copy:
		p.copyWords(s, used[0], used[1])
	case IndirectCall:
		p.term(s.Addr)
	case Free:
		p.term(s.Addr)
	case Leaks:
		if s.Result != nil {
			p.term(s.Result)
		}
	case Finds:
		if s.Result != nil {
			p.term(s.Result)
		}
	case Alloc:
		for _, b := range slices.Concat(s.Site.objects, s.Site.again) {
			p.g.AddressOf(p.variable(s.LHS), p.ids[b.number], 0)
		}
		if s.Site.more != nil {
			p.g.AddressOf(p.variable(s.LHS), p.ids[s.Site.more.number], 0)
		}
		if s.Site.rest != nil {
			p.g.AddressOf(p.variable(s.LHS), p.ids[s.Site.rest.number], 0)
		}
	}
}

func (p *pointers) assign(s cfa.Assign) {
	if !p.a.wide(s.LHS.Type()) {
		return
	}
	if s.RHS == nil {
		if p.a.pointers[s.LHS] && (s.Approx != "" || !indeterminate(s.Nondet)) {
			p.anyPointer(p.variable(s.LHS))
			p.g.Copy(p.variable(s.LHS), p.guessed)
		}
		return
	}
	if n := p.value(s.RHS, p.a.pointers[s.LHS]); n != none {
		p.g.Copy(p.variable(s.LHS), n)
	}
	if p.a.numbers[s.LHS] {
		p.anyPointer(p.variable(s.LHS))
		p.g.Copy(p.variable(s.LHS), p.guessed)
	}
}

// narrowed lets addresses escape of which a term takes a part: they may be put
// together again elsewhere.
func (p *pointers) narrowed(t *expr.Expr) {
	if t == nil || t.Type().IsBool() {
		return
	}
	if a := t.Args(); t.Op() == expr.Cast && !p.a.wide(t.Type()) && p.a.wide(a[0].Type()) {
		if n := p.term(a[0]); n != none {
			p.parted = append(p.parted, n)
			p.inBits(n, false, true)
		}
		return
	}
	for _, a := range t.Args() {
		p.narrowed(a)
	}
}

// indeterminate reports whether any value is what C leaves open, so that a
// pointer with it is invalid.
func indeterminate(nondet string) bool {
	switch nondet {
	case "uninitialised", "missing argument", "no return value", "division by zero", "shift count out of range":
		return true
	}
	return false
}

// passed lets arguments escape, and what the structures among them hold.
func (p *pointers) passed(at cfa.Loc, args []*expr.Expr, refs []Ref, addresses []pointsto.Node) {
	for _, a := range args {
		if n := p.term(a); n != none {
			p.g.Escape(n)
			p.held[at] = append(p.held[at], n)
		}
	}
	for i, r := range refs {
		for _, v := range p.wordsAt(addresses[i], r.Size) {
			p.g.Escape(v)
			p.held[at] = append(p.held[at], v)
		}
	}
}

// wordsAt are the addresses that stand in size bytes behind a pointer.
func (p *pointers) wordsAt(pointer pointsto.Node, size int64) []pointsto.Node {
	if pointer == none {
		return nil
	}
	var all []pointsto.Node
	p.words(pointer, size, func(n pointsto.Node, move func(dst, src pointsto.Node)) {
		a, v := p.g.Node(), p.g.Node()
		move(a, n)
		p.g.Load(v, a)
		all = append(all, v)
	})
	return all
}

// fromWorld gives a result whatever code without a body may know.
func (p *pointers) fromWorld(v *expr.Expr) {
	if v != nil && p.a.wide(v.Type()) && p.a.pointers[v] {
		p.anyPointer(p.variable(v))
	}
}

func (p *pointers) copyWords(s Copy, to, from pointsto.Node) {
	if from == none || to == none {
		return
	}
	p.words(from, s.Size, func(n pointsto.Node, move func(dst, src pointsto.Node)) {
		a, b, v := p.g.Node(), p.g.Node(), p.g.Node()
		move(a, n)
		move(b, to)
		p.g.Load(v, a)
		p.g.Store(b, v)
	})
}

// objectsOf yields each object of a list of targets once, but for memory that is not modelled.
func (p *pointers) objectsOf(targets []pointsto.Target) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		last := pointsto.Object(-1)
		for _, t := range targets {
			if b := p.at(t.Object); b != nil && t.Object != last && !yield(b) {
				return
			}
			last = t.Object
		}
	}
}

// targets is what a node may point to.
func (p *pointers) targets(n pointsto.Node) []pointsto.Target {
	if n == none {
		return nil
	}
	targets := p.solution.Targets(n)
	if len(p.marks) > 0 {
		targets = slices.DeleteFunc(slices.Clone(targets), func(t pointsto.Target) bool {
			_, is := p.marks[t.Object]
			return is
		})
	}
	return targets
}
