package interp

// All runs over small domains.
//
// Idea: breadth-first search over states, every open choice taking every value
// of its domain. A state inside a routine also has the routine's state. It is
// the brute-force oracle of the tests: what it finds, an abstraction must
// have.
//
// Cost: the number of states times the choices at each; meant for thousands of
// states, not millions.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// ErrLimit says that there are more states than the limit allows.
var ErrLimit = errors.New("too many states")

// A Node is a state of the component, possibly inside a routine.
type Node struct {
	State   State
	Inside  bool
	Routine int // the routine's state if Inside
}

// An Edge is a step. Action is "" for an internal one.
type Edge struct {
	Action string
	To     int // index into Graph.Nodes
}

// A Graph has all states reachable over the domains, in the order in which
// they were found. Nodes[:Initial] are the initial ones. Taint is not kept.
type Graph struct {
	Nodes   []Node
	Edges   [][]Edge // by node
	Initial int
}

// Explore finds all states that the component reaches when every open choice
// takes the values of its variable's domain, at most limit of them. Initial
// values are open for parameters, globals and all variables that may be read
// before they are set; other variables begin at 0. A routine returns those
// values of its result's domain that its move admits, or once if its result is
// not used. env may be nil as in [Machine.Walk]. The error is ErrLimit
// (wrapped) or that of ctx.
func (m *Machine) Explore(ctx context.Context, domain func(v *expr.Expr) []uint64, env Env, limit int) (*Graph, error) {
	e := &explorer{m: m, domain: domain, env: env, g: &Graph{}, index: map[string]int{}}
	live, err := m.live(ctx)
	if err != nil {
		return nil, err
	}
	e.initial(live[m.cfa.Entry])
	e.g.Initial = len(e.g.Nodes)
	for i := 0; i < len(e.g.Nodes); i++ {
		if len(e.g.Nodes) > limit {
			return nil, fmt.Errorf("%s: %w (%d)", m.cfa.Name, ErrLimit, limit)
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e.expand(i)
	}
	return e.g, nil
}

type explorer struct {
	m      *Machine
	domain func(v *expr.Expr) []uint64
	env    Env
	g      *Graph
	index  map[string]int
	key    []byte
	out    []Edge // of the node being expanded
}

// node is the number of n, which is new or was seen before.
func (e *explorer) node(n Node) int {
	n.State.taint = nil
	k := binary.AppendVarint(e.key[:0], int64(n.State.loc))
	k = append(k, byte(truth(n.State.ended)), byte(truth(n.Inside)))
	k = binary.AppendVarint(k, int64(n.Routine))
	for _, v := range n.State.vals {
		k = binary.AppendUvarint(k, v)
	}
	e.key = k
	i, ok := e.index[string(k)]
	if !ok {
		i = len(e.g.Nodes)
		e.index[string(k)] = i
		e.g.Nodes = append(e.g.Nodes, n)
		e.g.Edges = append(e.g.Edges, nil)
	}
	return i
}

func (e *explorer) edge(action string, to Node) {
	if ed := (Edge{action, e.node(to)}); !slices.Contains(e.out, ed) {
		e.out = append(e.out, ed)
	}
}

// initial makes a node for every choice of initial values: of what is live, and of what is known from outside.
func (e *explorer) initial(live bitset.Set[int32]) {
	var vars []*expr.Expr
	for i, v := range e.m.vars {
		if live.Has(int32(i)) || slices.Contains(e.m.cfa.Params, v) || e.m.isGlobal(v) {
			vars = append(vars, v)
		}
	}
	e.valuations(vars, func(vals []uint64) {
		e.node(Node{State: e.m.Initial(func(v *expr.Expr) uint64 {
			if i := slices.Index(vars, v); i >= 0 {
				return vals[i]
			}
			return 0
		})})
	})
}

func (m *Machine) isGlobal(v *expr.Expr) bool {
	return slices.ContainsFunc(m.cfa.Vars, func(d cfa.Var) bool { return d.Expr == v && d.Kind == cfa.Global })
}

// valuations calls f with every combination of values for the variables.
func (e *explorer) valuations(vars []*expr.Expr, f func(vals []uint64)) {
	vals := make([]uint64, len(vars))
	var rec func(i int)
	rec = func(i int) {
		if i == len(vars) {
			f(vals)
			return
		}
		for _, v := range e.domain(vars[i]) {
			vals[i] = cut(vars[i].Type(), v)
			rec(i + 1)
		}
	}
	rec(0)
}

// expand finds the successors of node i.
func (e *explorer) expand(i int) {
	e.out = nil
	switch n := e.g.Nodes[i]; {
	case n.State.ended:
	case n.Inside:
		e.routine(n)
	default:
		e.statement(n.State)
	}
	e.g.Edges[i] = e.out
}

func (e *explorer) statement(s State) {
	switch stmt := e.m.locs[s.loc].stmt.(type) {
	case cfa.Assign:
		var vars []*expr.Expr
		if stmt.RHS == nil {
			vars = []*expr.Expr{stmt.LHS}
		}
		e.take(s, vars, nil)
	case cfa.Call:
		if e.env == nil {
			e.call(s, nil, stmt, Move{Returns: true})
			return
		}
		site, _ := s.site()
		for _, q := range e.env.Start(site) {
			e.edge("", Node{State: s, Inside: true, Routine: q})
		}
	default:
		e.take(s, nil, nil)
	}
}

// routine makes the moves of the routine that n is inside.
func (e *explorer) routine(n Node) {
	site, call := n.State.site()
	for _, mv := range e.env.Moves(site, n.Routine) {
		if mv.Returns {
			e.call(n.State, site, call, mv)
		} else {
			e.edge(mv.Action, Node{State: n.State, Inside: true, Routine: mv.To})
		}
	}
}

// call completes a call whose routine returns by mv.
func (e *explorer) call(s State, site *Site, call cfa.Call, mv Move) {
	vars := slices.Clone(call.Clobbers)
	if call.LHS != nil {
		vars = append(vars, call.LHS)
	}
	e.take(s, vars, func(vals []uint64) bool {
		if site != nil {
			site.behind = func(v *expr.Expr) uint64 { return vals[slices.Index(vars, v)] }
		}
		value := uint64(0)
		if call.LHS != nil {
			value = vals[len(vals)-1]
		}
		return mv.admits(call, value)
	})
}

// take executes the statement at s's location once for each combination of
// values of the open variables that ok allows.
func (e *explorer) take(s State, vars []*expr.Expr, ok func(vals []uint64) bool) {
	e.valuations(vars, func(vals []uint64) {
		if ok != nil && !ok(vals) {
			return
		}
		asked := 0
		next := s.clone()
		res := next.step(ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { asked++; return vals[asked-1] }))
		for _, a := range e.actions(res.Event, &s) {
			e.edge(a, Node{State: next})
		}
	})
}

// actions are the labels of a statement's edges.
func (e *explorer) actions(ev Event, before *State) []string {
	switch ev := ev.(type) {
	case Acted:
		return []string{ev.Action}
	case Returned:
		if e.env != nil {
			if acts := e.env.Return(ev, before.here()); len(acts) > 0 {
				return acts
			}
		}
	}
	return []string{""}
}
