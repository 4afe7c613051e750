package predabs

// The control graph of a component.
//
// Idea: what the paper treats as separate cases of one transition relation
// (section 5.4: assignments, branches, returns, inlined procedure abstractions
// at call-sites) is here one kind of edge, a guarded parallel assignment with
// an action. A call-site whose callee has the abstraction ⟨g_i, P_i⟩ becomes a
// copy of each P_i between the call and its successor: the nodes (s, c) of the
// paper's inlined states (s, V, c). Everything after this file (inference,
// abstract post, path formulas, elimination) knows edges only.
//
// Source: paper sections 5.1, 5.4; Definition 7 for the shape of the states.
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

	"magus/cfa"
	"magus/internal/expr"
	"magus/lts"
)

// A Component is a CFA with all that the specification says about it. Its
// conditions are terms of the CFA's pool.
type Component struct {
	CFA     *cfa.CFA
	Actions *lts.Actions
	// Guard restricts the initial states; nil allows all.
	Guard *expr.Expr
	// Choices gives the procedure abstraction of the callee at a call-site,
	// its guards instantiated with the arguments.
	Choices func(loc cfa.Loc, call cfa.Call) ([]Choice, error)
	Returns Returns
	// Mentions are actions that the component takes part in even if no edge
	// performs them; nil: none.
	Mentions func() ([]lts.Action, error)
	// Given are predicates that the specification suggests.
	Given []Given
}

// A Choice is one ⟨guard, LTS⟩ of a procedure abstraction at a call-site. Its
// states must satisfy the paper's condition (section 3.4): s -a-> STOP iff a
// is a return action.
type Choice struct {
	Guard *expr.Expr
	LTS   *lts.LTS
	// Return says what a return action of LTS promises about the result.
	Return func(a lts.Action) (ReturnCond, bool)
}

// A ReturnCond is the meaning of a return action: the results it stands for.
type ReturnCond struct {
	// Cond restricts the result; nil (and void) allow any.
	Cond func(result *expr.Expr) (*expr.Expr, error)
}

// Returns says how the component's own returns are observed.
type Returns struct {
	Observed bool
	Actions  []ReturnAction
	Other    lts.Action // for values that no action of the list covers
}

// A ReturnAction is an observed return action of the component.
type ReturnAction struct {
	Action lts.Action
	Void   bool
	Cond   func(result *expr.Expr) (*expr.Expr, error) // nil if Void
}

// A Given is a predicate suggested by the specification, for all locations of
// one frame.
type Given struct {
	Cond  *expr.Expr
	Frame int
	Pos   cfa.Pos
}

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
	Comp   *Component
	Edges  []Edge
	nodes  []nodeInfo
	out    [][]int32    // edges by source
	in     [][]int32    // edges by target
	shared []lts.Action // the alphabet beyond what edges perform: what the text mentions, inlined LTSs', returns'
	fresh  map[*expr.Expr]*expr.Expr
	taken  map[*expr.Expr]*expr.Expr // the variable that a fresh one stands for
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

// Place is the location of a node that is neither Init nor Stop and, for an
// inlined state, which abstraction of the callee it belongs to and the state in
// its LTS; else choice is -1.
func (g *Graph) Place(n Node) (loc cfa.Loc, choice int, state lts.State) {
	return g.nodes[n].loc, int(g.nodes[n].choice), g.nodes[n].state
}

// Out are the edges that leave n, by their numbers.
func (g *Graph) Out(n Node) []int32 { return g.out[n] }

// NewGraph builds the control graph. Errors come from conditions that cannot
// be read at a call-site.
func NewGraph(c *Component) (*Graph, error) {
	g := &Graph{Comp: c, fresh: map[*expr.Expr]*expr.Expr{}, taken: map[*expr.Expr]*expr.Expr{}}
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
	g.add(Edge{From: Init, To: g.at(c.CFA.Entry), Loc: -1, Guard: conjuncts(c.CFA.Pool, c.Guard)})
	for l := range c.CFA.Locs {
		if err := g.location(cfa.Loc(l)); err != nil {
			return nil, err
		}
	}
	if c.Mentions != nil {
		actions, err := c.Mentions()
		if err != nil {
			return nil, err
		}
		g.shared = append(g.shared, actions...)
	}
	g.index()
	return g, nil
}

func (g *Graph) at(l cfa.Loc) Node { return Node(l) + 2 }

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

// prime is the fresh variable that stands for a new value of v.
func (g *Graph) prime(v *expr.Expr) *expr.Expr {
	f := g.fresh[v]
	if f == nil {
		f = g.Comp.CFA.Pool.Var(v.Name()+"'", v.Type())
		g.fresh[v], g.taken[f] = f, v
	}
	return f
}

// concerned are the variables that a guard speaks about, those whose new value
// it restricts included.
func (g *Graph) concerned(guard *expr.Expr) []*expr.Expr {
	vars := expr.Vars(guard)
	for _, f := range vars {
		if v := g.taken[f]; v != nil {
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

func (g *Graph) location(l cfa.Loc) error {
	c := g.Comp.CFA
	loc, p := &c.Locs[l], c.Pool
	switch s := loc.Stmt.(type) {
	case cfa.Assign:
		rhs := s.RHS
		if rhs == nil {
			rhs = g.prime(s.LHS)
		}
		g.add(Edge{From: g.at(l), To: g.at(loc.Succ[0]), Loc: l, Update: []Update{{s.LHS, rhs}}})
	case cfa.Branch:
		g.add(Edge{From: g.at(l), To: g.at(loc.Succ[0]), Loc: l, Guard: conjuncts(p, s.Cond)})
		g.add(Edge{From: g.at(l), To: g.at(loc.Succ[1]), Loc: l, Guard: conjuncts(p, p.Not(s.Cond))})
	case cfa.Goto:
		g.add(Edge{From: g.at(l), To: g.at(loc.Succ[0]), Loc: l})
	case cfa.Act:
		g.add(Edge{From: g.at(l), To: g.at(loc.Succ[0]), Loc: l, Action: g.Comp.Actions.Intern(s.Action)})
	case cfa.Call:
		return g.call(l, s)
	case cfa.Return:
		return g.returns(l, s)
	case cfa.Halt:
	default:
		panic(fmt.Sprintf("predabs: statement %T", s))
	}
	return nil
}

// call inlines the procedure abstraction of the callee (section 5.4, "handling
// call-sites").
func (g *Graph) call(l cfa.Loc, s cfa.Call) error {
	choices, err := g.Comp.Choices(l, s)
	if err != nil {
		return err
	}
	for i, ch := range choices {
		for _, a := range ch.LTS.Alphabet() {
			if _, isReturn := ch.Return(a); !isReturn {
				g.shared = append(g.shared, a)
			}
		}
		first := Node(len(g.nodes))
		for st := range ch.LTS.NumStates() {
			g.nodes = append(g.nodes, nodeInfo{l, int32(i), lts.State(st)})
		}
		g.add(Edge{From: g.at(l), To: first + Node(ch.LTS.Init()), Loc: l, Guard: conjuncts(g.Comp.CFA.Pool, ch.Guard)})
		for st := range ch.LTS.NumStates() {
			for _, e := range ch.LTS.Out(lts.State(st)) {
				if err := g.inlined(l, s, ch, first, lts.State(st), e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// inlined adds one transition of an inlined LTS: a return action leaves the
// call-site silently, any other action stays within it.
func (g *Graph) inlined(l cfa.Loc, s cfa.Call, ch Choice, first Node, st lts.State, e lts.Edge) error {
	ret, isReturn := ch.Return(e.Action)
	if !isReturn {
		g.add(Edge{From: first + Node(st), To: first + Node(e.To), Loc: l, Action: e.Action})
		return nil
	}
	edge := Edge{From: first + Node(st), To: g.at(g.Comp.CFA.Locs[l].Succ[0]), Loc: l}
	for _, v := range s.Clobbers {
		if v != s.LHS {
			edge.Update = append(edge.Update, Update{v, g.prime(v)})
		}
	}
	if s.LHS != nil {
		f := g.prime(s.LHS)
		edge.Update = append(edge.Update, Update{s.LHS, f})
		if ret.Cond != nil {
			cond, err := ret.Cond(f)
			if err != nil {
				return err
			}
			edge.Guard = conjuncts(g.Comp.CFA.Pool, cond)
			g.determine(&edge, f)
		}
	}
	g.add(edge)
	return nil
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
func (g *Graph) returns(l cfa.Loc, s cfa.Return) error {
	r, p := &g.Comp.Returns, g.Comp.CFA.Pool
	if !r.Observed {
		g.add(Edge{From: g.at(l), To: Stop, Loc: l})
		return nil
	}
	var none []*expr.Expr
	for _, a := range r.Actions {
		cond := p.Bool(a.Void == (s.Value == nil))
		if a.Cond != nil && s.Value != nil {
			var err error
			if cond, err = a.Cond(s.Value); err != nil {
				return err
			}
		}
		g.add(Edge{From: g.at(l), To: Stop, Loc: l, Action: a.Action, Guard: conjuncts(p, cond)})
		none = append(none, p.Not(cond))
	}
	g.add(Edge{From: g.at(l), To: Stop, Loc: l, Action: r.Other, Guard: conjuncts(p, p.Land(none...))})
	return nil
}

// IsLocation reports whether n is a location of the CFA, and not Init, Stop or
// an inlined state.
func (g *Graph) IsLocation(n Node) bool { return g.nodes[n].loc >= 0 && g.nodes[n].choice < 0 }
