package component

// The control graph of a component.
//
// Idea: what the paper treats as separate cases of one transition relation
// (section 5.4: assignments, branches, returns, inlined procedure abstractions
// at call-sites) is here one kind of edge, a guarded parallel assignment with
// an action. A call-site whose callee has the abstraction ⟨g_i, P_i⟩ becomes a
// copy of each P_i between the call and its successor: the nodes (s, c) of the
// paper's inlined states (s, V, c). Predicate abstraction knows edges only.
//
// Source: Chaki et al., Efficient Verification of Sequential and Concurrent C
// Programs, FMSD 25 (2004), sections 5.1 and 5.4; Definition 7 for the shape of
// the states.
//
// Deviations: the result of a call takes any value that satisfies the
// condition of the return action, and what the call may change besides takes
// any value, both through fresh variables; the paper substitutes the one
// return value and lets a call change nothing. Returns follow the tool's
// semantics: every candidate the value may satisfy is enabled, and "other" if
// it may satisfy none.
//
// Cost: linear in the CFA and the inlined LTSs.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
)

// A Node is a control point: Init, Stop, a location, or an inlined state of a
// procedure abstraction at a call-site.
type Node int32

// The two nodes that every graph has. The paper's INIT and STOP.
const (
	Init Node = iota
	Stop
)

// An Edge is a guarded parallel assignment with an action. Guard and Update
// speak about variables before the edge, and about fresh variables (written
// x') that take any value satisfying the guard.
type Edge struct {
	ID       int
	From, To Node
	Action   lts.Action
	Guard    []*expr.Expr // conjuncts
	Update   []Update
	Loc      cfa.Loc // the statement; -1 for the edge from Init
}

// An Update gives a variable a new value.
type Update struct {
	Var  *expr.Expr
	Term *expr.Expr // over variables before the edge and fresh ones
}

// A Graph is the control graph of a component. It is immutable.
type Graph struct {
	Comp  *Component
	Edges []Edge
	nodes []nodeInfo
	out   [][]int32 // edges by source
	in    [][]int32 // edges by target
	// the alphabet beyond what edges perform: what the text mentions, inlined LTSs', returns'
	shared []lts.Action
	primed map[*expr.Expr]*expr.Expr // the variable that a fresh one stands for a new value of
	// the actions that say where it stands (standing.go); nil if there are none
	standing map[lts.Action]lts.Standing

	// Of a graph of large blocks (large.go):
	base     *Graph       // that it was made of; else nil
	parts    [][]int32    // by edge: those of base
	passed   []bool       // by node: no edge leads there any more
	alphabet []lts.Action // of base
}

type nodeInfo struct {
	loc    cfa.Loc // -1 for Init and Stop
	choice int32   // index of the inlined LTS at the call-site, -1 for a location
	state  lts.State
}

// NumNodes counts the nodes.
func (g *Graph) NumNodes() int { return len(g.nodes) }

// Loc is the location of a node; false for Init and Stop.
func (g *Graph) Loc(n Node) (cfa.Loc, bool) { return g.nodes[n].loc, g.nodes[n].loc >= 0 }

// Point is the location of a node that is neither Init nor Stop and, for an
// inlined state, which abstraction of the callee it belongs to and the state in
// its LTS; else choice is -1.
func (g *Graph) Point(n Node) (loc cfa.Loc, choice int, state lts.State) {
	return g.nodes[n].loc, int(g.nodes[n].choice), g.nodes[n].state
}

// Out are the edges that leave n, by their numbers.
func (g *Graph) Out(n Node) []int32 { return g.out[n] }

// In are the edges that lead to n, by their numbers.
func (g *Graph) In(n Node) []int32 { return g.in[n] }

// Alphabet is every visible action that an edge can perform, and those that the
// component shares without performing them, sorted.
func (g *Graph) Alphabet() []lts.Action {
	if g.base != nil {
		return slices.Clone(g.alphabet)
	}
	as := slices.Clone(g.shared)
	for _, e := range g.Edges {
		if e.Action != lts.Tau {
			as = append(as, e.Action)
		}
	}
	slices.Sort(as)
	return slices.Compact(as)
}

// NewGraph builds the control graph.
func NewGraph(c *Component) *Graph {
	g := &Graph{Comp: c, primed: map[*expr.Expr]*expr.Expr{}}
	g.nodes = append(g.nodes, nodeInfo{-1, -1, 0}, nodeInfo{-1, -1, 0})
	for l := range c.CFA.Locs {
		g.nodes = append(g.nodes, nodeInfo{cfa.Loc(l), -1, 0})
	}
	if c.Returns.Observed {
		for _, r := range c.Returns.Actions {
			g.shared = append(g.shared, r.Action)
		}
		g.shared = append(g.shared, c.Returns.Other)
	}
	g.add(Edge{From: Init, To: g.At(c.CFA.Entry), Loc: -1, Guard: conjuncts(c.CFA.Pool, c.Guard)})
	for l := range c.CFA.Locs {
		g.location(cfa.Loc(l))
	}
	g.shared = append(g.shared, c.Shared...)
	g.index()
	if c.Stands > 0 {
		g.stand()
		g.index()
	}
	return g
}

// At is the node of a location.
func (g *Graph) At(l cfa.Loc) Node { return Node(l) + 2 }

func (g *Graph) add(e Edge) {
	e.ID = len(g.Edges)
	for _, c := range e.Guard {
		if c.IsFalse() {
			return // never taken
		}
	}
	g.Edges = append(g.Edges, e)
}

func (g *Graph) index() {
	g.out, g.in = make([][]int32, len(g.nodes)), make([][]int32, len(g.nodes))
	for i, e := range g.Edges {
		g.out[e.From] = append(g.out[e.From], int32(i))
		g.in[e.To] = append(g.in[e.To], int32(i))
	}
}

// Prime is the fresh variable v' that stands for a new value of v.
func Prime(p *expr.Pool, v *expr.Expr) *expr.Expr { return p.Var(v.Name()+"'", v.Type()) }

// prime is Prime for one of the graph's variables.
func (g *Graph) prime(v *expr.Expr) *expr.Expr {
	f := Prime(g.Comp.CFA.Pool, v)
	g.primed[f] = v
	return f
}

// IsFresh reports whether a variable stands for a new value of another one.
func (g *Graph) IsFresh(v *expr.Expr) bool { return g.primed[v] != nil }

// Concerned are the variables that a guard speaks about, those whose new value
// it restricts included.
func (g *Graph) Concerned(guard *expr.Expr) []*expr.Expr {
	vars := expr.Vars(guard)
	for _, f := range vars {
		if v := g.primed[f]; v != nil {
			vars = append(vars, v)
		}
	}
	return vars
}

// conjuncts splits a condition at &&; nil is the empty conjunction.
func conjuncts(p *expr.Pool, f *expr.Expr) []*expr.Expr {
	switch {
	case f == nil || f.IsTrue():
		return nil
	case f.Op() == expr.Land:
		return f.Args()
	case f.Op() == expr.Not && f.Args()[0].Op() == expr.Lor:
		var cs []*expr.Expr
		for _, a := range f.Args()[0].Args() {
			cs = append(cs, conjuncts(p, p.Not(a))...)
		}
		return cs
	}
	return []*expr.Expr{f}
}

func (g *Graph) location(l cfa.Loc) {
	c := g.Comp.CFA
	loc, p := &c.Locs[l], c.Pool
	switch s := loc.Stmt.(type) {
	case cfa.Assign:
		rhs := s.RHS
		if rhs == nil {
			rhs = g.prime(s.LHS)
		}
		g.add(Edge{From: g.At(l), To: g.At(loc.Succ[0]), Loc: l, Update: []Update{{s.LHS, rhs}}})
	case cfa.Branch:
		g.add(Edge{From: g.At(l), To: g.At(loc.Succ[0]), Loc: l, Guard: conjuncts(p, s.Cond)})
		g.add(Edge{From: g.At(l), To: g.At(loc.Succ[1]), Loc: l, Guard: conjuncts(p, p.Not(s.Cond))})
	case cfa.Goto:
		g.add(Edge{From: g.At(l), To: g.At(loc.Succ[0]), Loc: l})
	case cfa.Act:
		g.add(Edge{From: g.At(l), To: g.At(loc.Succ[0]), Loc: l, Action: g.Comp.Actions.Intern(s.Action)})
	case cfa.Call:
		g.call(l, s)
	case cfa.Return:
		g.returns(l, s)
	case cfa.Halt:
	default:
		panic(fmt.Sprintf("component: statement %T", s))
	}
}

// call inlines the procedure abstraction of the callee (section 5.4, "handling
// call-sites").
func (g *Graph) call(l cfa.Loc, s cfa.Call) {
	call := g.Comp.Calls[l]
	for i, ch := range call.Choices {
		for _, a := range ch.LTS.Alphabet() {
			if _, isReturn := ch.Returns[a]; !isReturn {
				g.shared = append(g.shared, a)
			}
		}
		first := Node(len(g.nodes))
		for st := range ch.LTS.NumStates() {
			g.nodes = append(g.nodes, nodeInfo{l, int32(i), lts.State(st)})
		}
		g.add(Edge{From: g.At(l), To: first + Node(ch.LTS.Init()), Loc: l, Guard: conjuncts(g.Comp.CFA.Pool, ch.Guard)})
		for st := range ch.LTS.NumStates() {
			for _, e := range ch.LTS.Out(lts.State(st)) {
				from := first + Node(st)
				if cond, isReturn := ch.Returns[e.Action]; isReturn {
					g.leave(from, l, s, cond)
				} else {
					g.add(Edge{From: from, To: first + Node(e.To), Loc: l, Action: e.Action})
				}
			}
		}
	}
}

// leave adds the silent edge by which a return action leaves a call-site; the
// result satisfies cond.
func (g *Graph) leave(from Node, l cfa.Loc, s cfa.Call, cond *expr.Expr) {
	edge := Edge{From: from, To: g.At(g.Comp.CFA.Locs[l].Succ[0]), Loc: l}
	for _, v := range s.Clobbers {
		if v != s.LHS {
			edge.Update = append(edge.Update, Update{v, g.prime(v)})
		}
	}
	edge.Guard = conjuncts(g.Comp.CFA.Pool, cond)
	if s.LHS != nil {
		result := g.prime(s.LHS)
		edge.Update = append(edge.Update, Update{s.LHS, result})
		g.determine(&edge, result)
	}
	g.add(edge)
}

// determine replaces the fresh variable f by its value where the guard says
// f == value: the paper's RetVal(a), of which weakest preconditions can be
// taken.
func (g *Graph) determine(e *Edge, f *expr.Expr) {
	for _, c := range e.Guard {
		if c.Op() != expr.Eq || c.Args()[0] != f || !c.Args()[1].IsConst() {
			continue
		}
		by := map[*expr.Expr]*expr.Expr{f: c.Args()[1]}
		for i, u := range e.Update {
			e.Update[i].Term = g.Comp.CFA.Pool.Subst(u.Term, by)
		}
		e.Guard = conjuncts(g.Comp.CFA.Pool, g.Comp.CFA.Pool.Subst(g.Comp.CFA.Pool.Land(e.Guard...), by))
		return
	}
}

// returns adds the edges to Stop. Where returns are observed, each action has
// an edge guarded by its condition, and "other" by the negation of all.
func (g *Graph) returns(l cfa.Loc, s cfa.Return) {
	r, p := &g.Comp.Returns, g.Comp.CFA.Pool
	if !r.Observed {
		g.add(Edge{From: g.At(l), To: Stop, Loc: l})
		return
	}
	var none []*expr.Expr
	for _, a := range r.Actions {
		cond := r.Of(p, a, s.Value)
		g.add(Edge{From: g.At(l), To: Stop, Loc: l, Action: a.Action, Guard: conjuncts(p, cond)})
		none = append(none, p.Not(cond))
	}
	g.add(Edge{From: g.At(l), To: Stop, Loc: l, Action: r.Other, Guard: conjuncts(p, p.Land(none...))})
}

// IsLocation reports whether n is a location of the CFA, and not Init, Stop or
// an inlined state.
func (g *Graph) IsLocation(n Node) bool { return g.nodes[n].loc >= 0 && g.nodes[n].choice < 0 }
