package bounded

// The cycles of a loop: paths from its head back to it.
//
// Idea: depth first from the head, over edges that go on to it without closing another loop. The
// constants that a path sets are propagated along it, and a branch on these has one side only. So an
// inner loop whose number of rounds is a constant is unwound.
//
// Source: none. Cost: maxSteps edges for a head.

import (
	"slices"

	"magus/component"
	"magus/internal/bitset"
	"magus/lts"
	"magus/smt/expr"
)

const (
	maxCycles = 8       // that are accelerated, of one head
	maxNodes  = 64      // of one
	maxCycle  = 1 << 12 // edges of one, with the rounds of inner loops
	maxSteps  = 1 << 13 // to look for those of one head
)

// A cycleFinder looks for paths from a node back to it.
type cycleFinder struct {
	*flow
	spec   *lts.LTS
	head   component.Node
	plain  bitset.Set[component.Node] // from where the head is reached without closing another loop
	within bitset.Set[component.Node] // and with closing others
	steps  int
	path   []int32
	sure   []bool                 // by edge of the path: no other one could be taken
	last   map[component.Node]int // of nodes on the path: how many edges led to where it was last there
	known  map[int]uint64         // variables that have a constant at the end of the path
	all    [][]int32
}

func (f *flow) isBack(id int32) bool { return f.rank[f.edges[id].To] <= f.rank[f.edges[id].From] }

// cycles are paths from a node back to it.
func (f *flow) cycles(head component.Node, spec *lts.LTS) [][]int32 {
	if !slices.ContainsFunc(f.graph.In(head), f.isBack) {
		return nil
	}
	w := &cycleFinder{flow: f, spec: spec, head: head, plain: f.closing(head, spec, false),
		last: map[component.Node]int{}, known: map[int]uint64{}}
	if w.within = f.closing(head, spec, true); w.within.Len() > 0 {
		w.follow(head)
	}
	return w.all
}

// closing are the nodes that lead to a node, without closing another loop or with others.
func (f *flow) closing(head component.Node, spec *lts.LTS, others bool) bitset.Set[component.Node] {
	found := bitset.New[component.Node](f.graph.NumNodes())
	var todo []component.Node
	into := func(n component.Node, first bool) {
		for _, id := range f.graph.In(n) {
			if from := f.edges[id].From; (f.isBack(id) == first || others && !first) && f.repeats(id, spec) && !found.Has(from) {
				found.Add(from)
				todo = append(todo, from)
			}
		}
	}
	for into(head, true); len(todo) > 0; {
		n := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; n != head {
			into(n, false)
		}
	}
	return found
}

// follow goes on from a node.
func (w *cycleFinder) follow(n component.Node) {
	before, been := w.last[n]
	w.last[n] = len(w.path)
	out := w.graph.Out(n)
	for _, id := range out {
		if w.steps++; !w.repeats(id, w.spec) || len(w.all) == maxCycles || len(w.path) == maxCycle ||
			len(w.last) > maxNodes || w.steps > maxSteps {
			continue
		}
		if taken, sure := w.decided(id); taken {
			w.take(id, sure || len(out) == 1)
		}
	}
	if w.last[n] = before; !been {
		delete(w.last, n)
	}
}

// take goes over an edge and on.
func (w *cycleFinder) take(id int32, sure bool) {
	w.path, w.sure = append(w.path, id), append(w.sure, sure)
	switch to := w.edges[id].To; {
	case to == w.head:
		w.all = append(w.all, slices.Clone(w.path))
	case w.isBack(id) && w.unwound(to), !w.isBack(id) && (w.plain.Has(to) || sure && w.within.Has(to)):
		known := w.known
		w.known = w.after(id)
		w.follow(to)
		w.known = known
	}
	w.path, w.sure = w.path[:len(w.path)-1], w.sure[:len(w.sure)-1]
}

// unwound reports whether the path has gone round an inner loop, and could not have done anything else.
func (w *cycleFinder) unwound(head component.Node) bool {
	since, been := w.last[head]
	return been && w.within.Has(head) && !slices.Contains(w.sure[since:], false)
}

// decided says whether an edge can be taken, as far as constants tell, and whether these alone tell it.
func (w *cycleFinder) decided(id int32) (taken, sure bool) {
	val, known := w.constant(w.edges[id].guard)
	return !known || val == 1, known && !w.edges[id].guard.IsTrue()
}

// constant is the value of a term, if it is the same in all rounds.
func (w *cycleFinder) constant(t *expr.Expr) (val uint64, known bool) {
	if t.IsConst() {
		return t.Value(), true
	}
	if len(w.known) == 0 {
		return 0, false
	}
	for _, v := range expr.Vars(t) {
		if _, ok := w.known[w.flow.at(v)]; !ok {
			return 0, false
		}
	}
	return expr.Eval(t, func(v *expr.Expr) uint64 { return w.known[w.flow.at(v)] }), true
}

// at is the number of a variable, -1 if it stands for a new value.
func (f *flow) at(v *expr.Expr) int {
	if i, ok := f.index[v]; ok {
		return i
	}
	return -1
}

// after is what is known behind an edge.
func (w *cycleFinder) after(id int32) map[int]uint64 {
	e := &w.edges[id]
	if len(e.Update) == 0 {
		return w.known
	}
	next := map[int]uint64{}
	for v, val := range w.known {
		next[v] = val
	}
	for i, u := range e.Update {
		if val, known := w.constant(u.Term); known {
			next[e.writes[i]] = val
		} else {
			delete(next, e.writes[i])
		}
	}
	return next
}

// repeats reports whether an edge may be part of a cycle: the specification does not observe it. The values that it
// chooses are the same in all rounds.
func (f *flow) repeats(id int32, spec *lts.LTS) bool {
	a := f.edges[id].Action
	return a == lts.Tau || !spec.HasAction(a)
}
