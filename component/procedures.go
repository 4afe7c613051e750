package component

// The control graph of a component whose procedures stand once, taken apart into procedures.
//
// Idea: a call leads to the first node of a body, and the last node of a body leads back to where a call goes
// on; which call that is, nobody has to know by the values of variables, for a call and its return are edges of
// their own. A third edge leads past each call: what the body may assign gets any value. By these three, what is
// asked of data behind a call is followed back: into the body if the body may change it, past the call if it
// does not. Each condition is in the scope of some procedures: one that speaks of what only one procedure knows
// means nothing in others.
//
// Source: the exploded supergraph of Reps, Horwitz, Sagiv: Precise Interprocedural Dataflow Analysis via Graph
// Reachability (POPL 1995); the scopes of predicates of Ball, Rajamani: Bebop (SPIN 2000). Deviation: what a
// procedure owns is what its text alone names and assigns before it reads; parameters go through variables that
// belong to nobody.
//
// Cost: linear in the graph, and for what bodies assign the number of procedures times that of variables.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// Procedures are those of a component whose bodies stand once.
type Procedures struct {
	Graph  *Graph // with edges for calls, returns and past calls
	List   []Procedure
	Of     []int // by node of the graph: the procedure, 0 is the component's own
	Kinds  []EdgeKind
	Calls  map[Node]*CallSite
	owner  map[*expr.Expr]int // procedures by what they own
	stands [][]int32          // by edge: those of [NewGraph] that it stands for
	size   int                // how many these are

	passing map[*expr.Expr]bool // by which procedures that call themselves pass something
}

// An EdgeKind says what an edge of [Procedures.Graph] stands for.
type EdgeKind uint8

// The kinds of edges.
const (
	Within EdgeKind = iota // a step of one procedure
	Into                   // a call
	Back                   // a return
	Past                   // a call with what it does: any value for what it may assign
)

// A Procedure is one of them.
type Procedure struct {
	Name        string
	Entry, Exit Node // Exit is Init of one that never returns
	Recursive   bool
	Writes      []*expr.Expr // what a call may change, besides what the procedure owns
	// Kept are parameters that nothing assigns behind the entry, with the variables that they are passed by.
	Kept map[*expr.Expr]*expr.Expr
}

// A CallSite is a call of a procedure.
type CallSite struct {
	Callee int
	Into   *Edge
	// Past and Return are nil if the call never returns.
	Past, Return *Edge
	Back         Node
}

// Procedures takes the graph of a component with bodies that stand once apart. The error is an
// *cfa.UnsupportedError where recursion needs several variables for one.
func (c *Component) Procedures() (*Procedures, error) {
	b := &procedureBuilder{comp: c, base: NewGraph(c)}
	b.Procedures = &Procedures{Calls: map[Node]*CallSite{}, owner: map[*expr.Expr]int{}, passing: map[*expr.Expr]bool{}}
	b.sites()
	if b.divide(); b.mixed {
		return nil, &cfa.InternalError{Doing: "taking procedures apart", Value: "a location is of two of them"}
	}
	b.findWrites()
	if err := b.own(); err != nil {
		return nil, err
	}
	b.build()
	return b.Procedures, nil
}

// procedureBuilder takes a graph apart.
type procedureBuilder struct {
	*Procedures
	comp  *Component
	base  *Graph
	site  map[*expr.Expr]int          // procedures by the variables that have the numbers of calls
	past  map[*expr.Expr]bool         // conditions by which a way leads past a call
	calls map[cfa.Loc]numberedCall    // by location
	tests map[cfa.Loc]numberedCall    // of the numbers of calls
	backs map[numberedCall]cfa.Loc    // where calls go on
	assig []map[*expr.Expr]bool       // by procedure, what it assigns itself
	mixed bool                        // a node is of two procedures
	leads []map[int]bool              // by procedure, those that it calls
	names map[*expr.Expr]map[int]bool // by variable, the procedures whose text has it
}

// A numberedCall is a call of a procedure.
type numberedCall struct {
	callee int
	number uint64
}

// sites finds calls, and the tests behind bodies.
func (b *procedureBuilder) sites() {
	b.site, b.past = map[*expr.Expr]int{}, map[*expr.Expr]bool{}
	b.calls, b.tests, b.backs = map[cfa.Loc]numberedCall{}, map[cfa.Loc]numberedCall{}, map[numberedCall]cfa.Loc{}
	b.List = []Procedure{{Name: b.comp.Name}}
	for i, body := range b.comp.CFA.Bodied {
		b.List = append(b.List, Procedure{Name: body.Proc, Recursive: body.Cycle >= 0, Kept: map[*expr.Expr]*expr.Expr{}})
		b.site[body.Site] = i + 1
		for _, v := range body.Passing {
			b.passing[v] = body.Cycle >= 0
		}
		for _, call := range body.Calls {
			if call.Past != nil {
				b.past[call.Past] = true
			}
		}
	}
	for l, loc := range b.comp.CFA.Locs {
		switch s := loc.Stmt.(type) {
		case cfa.Assign:
			if callee, ok := b.site[s.LHS]; ok {
				b.calls[cfa.Loc(l)] = numberedCall{callee, s.RHS.Value()}
			}
		case cfa.Branch:
			if callee, number, ok := b.test(s.Cond); ok {
				b.tests[cfa.Loc(l)] = numberedCall{callee, number}
				b.backs[numberedCall{callee, number}] = loc.Succ[0]
			}
		}
	}
}

// test reads a test of the number of a call.
func (b *procedureBuilder) test(cond *expr.Expr) (callee int, number uint64, ok bool) {
	if cond.Op() != expr.Eq {
		return 0, 0, false
	}
	for i, a := range cond.Args() {
		if callee, ok = b.site[a]; ok {
			return callee, cond.Args()[1-i].Value(), true
		}
	}
	return 0, 0, false
}

// isPast reports whether a location is a branch by which a way leads past a call.
func (b *procedureBuilder) isPast(l cfa.Loc) bool {
	s, ok := b.comp.CFA.Locs[l].Stmt.(cfa.Branch)
	return ok && slices.ContainsFunc(expr.Vars(s.Cond), func(v *expr.Expr) bool { return b.past[v] })
}

// divide says of each node whose procedure's it is, and where procedures begin and end.
func (b *procedureBuilder) divide() {
	b.Of = slices.Repeat([]int{-1}, len(b.base.nodes))
	b.Of[Init], b.Of[Stop] = 0, 0
	b.leads = make([]map[int]bool, len(b.List))
	for p := range b.List {
		b.leads[p] = map[int]bool{}
	}
	b.List[0].Entry, b.List[0].Exit = Init, Stop
	todo := []int{0}
	starts := map[int]Node{0: Init}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		for _, to := range b.divideFrom(p, starts[p]) {
			if _, known := starts[to.Callee]; !known {
				starts[to.Callee] = to.Back
				b.List[to.Callee].Entry = to.Back
				todo = append(todo, to.Callee)
			}
		}
	}
}

// divideFrom marks the nodes of a procedure and gives the procedures that it calls, with their first nodes in Back.
func (b *procedureBuilder) divideFrom(p int, start Node) (all []CallSite) {
	seen := map[Node]bool{start: true}
	todo := []Node{start}
	visit := func(n Node) {
		if !seen[n] {
			seen[n] = true
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.Of[n] > 0 && b.Of[n] != p {
			b.mixed = true
		}
		b.Of[n] = p
		l, isLoc := b.base.Loc(n)
		switch call, isCall := b.calls[l]; {
		case isLoc && isCall:
			b.leads[p][call.callee] = true
			entry, back := b.comp.CFA.Locs[l].Succ[0], b.backs[call]
			if b.isPast(entry) {
				entry, back = b.comp.CFA.Locs[entry].Succ[0], b.comp.CFA.Locs[entry].Succ[1]
			}
			all = append(all, CallSite{Callee: call.callee, Back: b.base.At(entry)})
			if _, returns := b.backs[call]; returns {
				visit(b.base.At(back))
			}
			continue
		case isLoc && b.isTest(l):
			b.List[p].Exit = n
			continue
		}
		for _, id := range b.base.Out(n) {
			if to := b.base.Edges[id].To; to != Stop {
				visit(to)
			}
		}
	}
	return all
}

func (b *procedureBuilder) isTest(l cfa.Loc) bool {
	_, ok := b.tests[l]
	return ok
}

// build makes the graph with its three kinds of edges for calls.
func (b *procedureBuilder) build() {
	g := &Graph{Comp: b.comp, nodes: b.base.nodes, shared: b.base.shared, primed: b.base.primed}
	b.Graph, b.size = g, len(b.base.Edges)
	put := func(e Edge, kind EdgeKind, of ...int32) *Edge {
		e.ID = len(g.Edges)
		g.Edges = append(g.Edges, e)
		b.Kinds, b.stands = append(b.Kinds, kind), append(b.stands, of)
		return &e
	}
	for _, e := range b.base.Edges {
		if b.Of[e.From] < 0 {
			continue
		}
		l, isLoc := b.base.Loc(e.From)
		call, isCall := b.calls[l]
		switch {
		case isLoc && isCall:
			b.putCall(l, call, put)
		case isLoc && (b.isTest(l) || b.isPast(l)):
		default:
			put(e, Within, int32(e.ID))
		}
	}
	g.index()
}

// putCall puts the edges of a call.
func (b *procedureBuilder) putCall(l cfa.Loc, call numberedCall, put func(Edge, EdgeKind, ...int32) *Edge) {
	from, callee := b.base.At(l), &b.List[call.callee]
	calls := slices.Clone(b.base.Out(from))
	if next := b.comp.CFA.Locs[l].Succ[0]; b.isPast(next) {
		calls = append(calls, b.base.Out(b.base.At(next))...)
	}
	site := &CallSite{Callee: call.callee, Into: put(Edge{From: from, To: callee.Entry, Loc: l}, Into, calls...)}
	b.Calls[from] = site
	back, returns := b.backs[call]
	if !returns || callee.Exit == Init {
		return
	}
	site.Back = b.base.At(back)
	past := Edge{From: from, To: site.Back, Loc: l}
	for _, v := range callee.Writes {
		past.Update = append(past.Update, Update{v, b.base.prime(v)})
	}
	site.Past = put(past, Past)
	site.Return = put(Edge{From: callee.Exit, To: site.Back, Loc: l}, Back, b.testsOf(call.callee)...)
}

// testsOf are the edges behind a body.
func (b *procedureBuilder) testsOf(callee int) (all []int32) {
	for l := range b.comp.CFA.Locs {
		if call, ok := b.tests[cfa.Loc(l)]; ok && call.callee == callee {
			all = append(all, b.base.Out(b.base.At(cfa.Loc(l)))...)
		}
	}
	return all
}

// Stands are, of edges of the graph, those of [NewGraph] that they stand for.
func (ps *Procedures) Stands(edges []bool) []bool {
	all := make([]bool, ps.size)
	for i, taken := range edges {
		for _, id := range ps.stands[i] {
			all[id] = all[id] || taken
		}
	}
	return all
}

// Owner is the procedure that owns a variable, if there is one.
func (ps *Procedures) Owner(v *expr.Expr) (p int, owned bool) {
	p, owned = ps.owner[v]
	return p, owned
}

// Owns reports whether a procedure owns a variable: nobody else's text names it, and no call of it sees what
// another call has left there. The component's own procedure owns what is named by nobody else.
func (ps *Procedures) Owns(p int, v *expr.Expr) bool {
	o, owned := ps.owner[v]
	return owned && o == p
}

// InScope reports whether a condition on some variables means something at a node: it speaks of nothing that another
// procedure owns.
func (ps *Procedures) InScope(n Node, vars []*expr.Expr) bool {
	for _, v := range vars {
		if o, owned := ps.owner[v]; owned && o != ps.Of[n] {
			return false
		}
	}
	return true
}

// IsPassed reports whether calls of a procedure pass something by a variable.
func (ps *Procedures) IsPassed(p int, v *expr.Expr) bool {
	return p > 0 && slices.Contains(ps.Graph.Comp.CFA.Bodied[p-1].Passing, v)
}

// Passes reports whether procedures that call themselves pass something by a variable.
func (ps *Procedures) Passes(v *expr.Expr) bool { return ps.passing[v] }
