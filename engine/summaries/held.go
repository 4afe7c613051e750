package summaries

// What a proof has found of procedures, as contracts.
//
// Idea: an exploration that is over is an induction: whatever a call begins with is one of the entry states of its
// procedure, and from there all runs stay in the states that were found for it. So a procedure's entry has one of its
// entry states, and at its end, and wherever ways meet within it, this holds for each entry state: if the call began
// with it, one of the states that were found there for it is the present one. Conditions on variables that a procedure
// owns mean nothing outside; at an end they are left out, or become conditions on the parameters that these keep.
//
// Source: Ball, Rajamani: Bebop (SPIN 2000), for summaries as relations. Cost: linear in the states.

import (
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// Where something holds of a procedure.
type Where int

// The places.
const (
	Entry Where = iota
	Exit
	Inside // at a node
)

// A Held is what holds at a place of a procedure: terms over values at the entry of the call, and, with " now" behind
// their names, values now.
type Held struct {
	Procedure int
	Where     Where
	Node      component.Node
	Holds     []*expr.Expr
}

// now stands behind the names of variables whose values now are meant.
const now = " now"

// Held is what holds in all procedures, after a proof. It is nothing where the specification has more than one state,
// of which these conditions cannot speak.
func (s *Search) Held() (all []Held, ok bool) {
	if !s.answer.Proved || !staysAtInit(s.spec) {
		return nil, false
	}
	h := &holding{exploration: s.now, entries: map[int][]*expr.Expr{}, of: make([]int, len(s.now.contexts))}
	h.enter()
	for p := range h.ps.List {
		if len(h.entries[p]) == 0 {
			continue
		}
		if p > 0 {
			all = append(all, Held{p, Entry, 0, []*expr.Expr{h.pool().Lor(h.entries[p]...)}})
			all = append(all, Held{p, Exit, 0, h.implied(p, h.ps.List[p].Exit, h.atEnd)})
		}
		for n := range component.Node(h.ps.Graph.NumNodes()) {
			if h.ps.Of[n] == p && h.meet(n) {
				all = append(all, Held{p, Inside, n, h.implied(p, n, h.inside)})
			}
		}
	}
	return all, true
}

// staysAtInit reports whether a specification has one state only that matters: what it allows leads there.
func staysAtInit(spec *lts.LTS) bool {
	for _, e := range spec.Out(spec.Init()) {
		if e.To != spec.Init() {
			return false
		}
	}
	return true
}

// holding makes conditions of an exploration.
type holding struct {
	*exploration
	entries map[int][]*expr.Expr // by procedure: what its calls begin with, each once
	of      []int                // by context: which of them
}

// enter finds what calls begin with.
func (h *holding) enter() {
	for i, c := range h.contexts {
		p := c.procedure
		begins := h.pool().Land(h.outside(p, h.posts.Literals(h.states[c.entry].known))...)
		k := slices.Index(h.entries[p], begins)
		if k < 0 {
			k = len(h.entries[p])
			h.entries[p] = append(h.entries[p], begins)
		}
		h.of[i] = k
	}
}

// outside are the conditions that speak of nothing that a procedure owns.
func (h *holding) outside(p int, conds []*expr.Expr) []*expr.Expr {
	return slices.DeleteFunc(conds, func(c *expr.Expr) bool {
		return p > 0 && slices.ContainsFunc(expr.Vars(c), func(v *expr.Expr) bool { return h.ps.Owns(p, v) })
	})
}

// implied says for each beginning of a procedure's calls which states there may be at a node.
func (h *holding) implied(p int, n component.Node, as func(int, []*expr.Expr) *expr.Expr) []*expr.Expr {
	at := make([][]*expr.Expr, len(h.entries[p]))
	for _, st := range h.states {
		if st.node != n || h.contexts[st.in].procedure != p {
			continue
		}
		k, c := h.of[st.in], as(p, h.posts.Literals(st.known))
		if !slices.Contains(at[k], c) {
			at[k] = append(at[k], c)
		}
	}
	var all []*expr.Expr
	for k, begins := range h.entries[p] {
		if c := h.pool().Lor(h.pool().Not(begins), h.pool().Lor(at[k]...)); !c.IsTrue() {
			all = append(all, c)
		}
	}
	return all
}

// meet reports whether ways within a procedure meet at a node.
func (h *holding) meet(n component.Node) bool {
	ways := 0
	for _, e := range h.ps.Graph.In(n) {
		if k := h.ps.Kinds[e]; k == component.Within || k == component.Past {
			ways++
		}
	}
	return ways > 1 && n != component.Stop && n != h.ps.List[h.ps.Of[n]].Exit
}

// inside is a state within a procedure, which its parameters keep.
func (h *holding) inside(_ int, conds []*expr.Expr) *expr.Expr {
	return h.later(h.pool().Land(conds...), nil)
}

// atEnd is a state at a procedure's end, without what it owns.
func (h *holding) atEnd(p int, conds []*expr.Expr) *expr.Expr {
	kept := h.ps.List[p].Kept
	var some []*expr.Expr
	for _, c := range conds {
		gone := slices.ContainsFunc(expr.Vars(c), func(v *expr.Expr) bool { return h.ps.Owns(p, v) && kept[v] == nil })
		if !gone {
			some = append(some, h.later(c, kept))
		}
	}
	return h.pool().Land(some...)
}

// later is a condition on values now; on those at the entry where parameters keep them.
func (h *holding) later(c *expr.Expr, kept map[*expr.Expr]*expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(c) {
		if by[v] = kept[v]; by[v] == nil {
			by[v] = h.pool().Var(v.Name()+now, v.Type())
		}
	}
	return h.pool().Subst(c, by)
}
