package interp

// All interleavings of a program with threads over small domains: the oracle of the tests.
//
// Idea: breadth-first search over states. Where some thread's next statement touches
// nothing that others do, it is enough to let that thread go on first, unless that leads to a state
// that is known: two such statements commute, and on each cycle of states one is
// expanded fully.
//
// Source: ample sets with the condition on cycles of breadth-first search (Bošnački,
// Holzmann: Improving Spin's Partial-Order Reduction for Breadth-First Search, SPIN
// 2005). Cost: the number of states times the threads; meant for some hundred thousand.

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/internal/expr"
)

// Interleavings are what all runs of a program with threads come to.
type Interleavings struct {
	States  int
	Actions []string      // that some run performs, sorted
	Ends    []ThreadState // of the process, in the order in which they were found
	// Results are what main returns, where it does, increasing.
	Results []uint64
	// Stuck are states in which no thread makes a step, and the process has not ended.
	Stuck []ThreadState
	// Steps leads to the first error, if there is one.
	Steps []ThreadStep
	// Race says that in some state two threads come to conflicting accesses next, of which not both are in sections; Deadlock that
	// some state is one.
	Race, Deadlock bool
}

// Performs reports whether some run performs an action.
func (i *Interleavings) Performs(action string) bool { return slices.Contains(i.Actions, action) }

type threadNode struct {
	state  ThreadState
	parent int
	step   ThreadStep
}

type interleaver struct {
	m       *Machine
	domain  func(v *expr.Expr) []uint64
	local   []bool // by location: nobody else touches what the statement does
	nodes   []threadNode
	index   map[string]int
	actions map[string]bool
	out     *Interleavings
}

// Interleave finds what runs reach when every open choice takes the values of its
// variable's domain and initial values are 0, at most limit states. The error is ErrLimit (wrapped) or that of ctx.
func (m *Machine) Interleave(ctx context.Context, domain func(v *expr.Expr) []uint64, limit int) (*Interleavings, error) {
	e := &interleaver{m: m, domain: domain, local: m.localSteps(), index: map[string]int{}, actions: map[string]bool{}, out: &Interleavings{}}
	e.node(m.InitialThreads(nil), -1, ThreadStep{})
	for i := 0; i < len(e.nodes); i++ {
		if len(e.nodes) > limit {
			return nil, fmt.Errorf("%s: %w (%d)", m.cfa.Name, ErrLimit, limit)
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e.expand(i)
	}
	e.out.States = len(e.nodes)
	for a := range e.actions {
		e.out.Actions = append(e.out.Actions, a)
	}
	slices.Sort(e.out.Actions)
	slices.Sort(e.out.Results)
	return e.out, nil
}

// localSteps says of each location whether its statement touches nothing that two threads
// do, and cannot wait.
func (m *Machine) localSteps() []bool {
	shared := map[*expr.Expr]bool{}
	for _, v := range m.cfa.Shared() {
		shared[v] = true
	}
	local := make([]bool, len(m.locs))
	for i := range m.locs {
		switch s := m.locs[i].stmt.(type) {
		case cfa.Assign, cfa.Branch, cfa.Goto:
			a, ok := s.(cfa.Assign)
			read, written := m.cfa.Accesses(cfa.Loc(i))
			local[i] = !(ok && a.Memory != nil) && !slices.ContainsFunc(append(read, written...), func(v *expr.Expr) bool { return shared[v] })
		}
	}
	return local
}

// node enters a state and reports whether it is new.
func (e *interleaver) node(s ThreadState, parent int, step ThreadStep) bool {
	k := []byte{byte(s.within + 1), byte(truth(s.ended))}
	for t, at := range s.at {
		k = append(k, byte(s.status[t]))
		k = binary.AppendVarint(k, int64(at))
	}
	for _, v := range s.store.vals {
		k = binary.AppendUvarint(k, v)
	}
	for t, late := range s.late {
		for _, b := range late {
			k = binary.AppendUvarint(append(k, byte(t+1)), uint64(e.m.index[b.Var]))
			k = binary.AppendUvarint(k, b.Value)
		}
	}
	if _, ok := e.index[string(k)]; ok {
		return false
	}
	e.index[string(k)] = len(e.nodes)
	e.nodes = append(e.nodes, threadNode{s, parent, step})
	return true
}

func (e *interleaver) expand(i int) {
	s := e.nodes[i].state
	if s.ended {
		e.out.Ends = append(e.out.Ends, s)
		return
	}
	e.out.Race = e.out.Race || e.m.races(s)
	e.out.Deadlock = e.out.Deadlock || e.m.Deadlocked(s)
	moves := false
	for t := range s.at {
		if s.Waits(t) != "" {
			continue
		}
		moves = true
		if e.local[s.at[t]] && e.take(i, t) {
			return
		}
	}
	for t := range s.at {
		if s.Waits(t) == "" {
			e.take(i, t)
		}
	}
	for t := range s.at {
		for _, v := range s.Commits(t) {
			moves = true
			next := s.clone()
			next.commit(t, v)
			e.node(next, i, ThreadStep{Thread: t, Commit: v})
		}
	}
	if !moves {
		e.out.Stuck = append(e.out.Stuck, s)
	}
}

// take executes the next statement of a thread for each value that it leaves open, and reports
// whether all states are new that it leads to.
func (e *interleaver) take(i, thread int) bool {
	s := e.nodes[i].state
	at := s.at[thread]
	values := []uint64{0}
	var open *expr.Expr
	if a, ok := e.m.locs[at].stmt.(cfa.Assign); ok && a.RHS == nil {
		open, values = a.LHS, e.domain(a.LHS)
	}
	fresh := true
	for _, v := range values {
		step := ThreadStep{Thread: thread, Loc: at}
		if open != nil {
			step.Choices = []Binding{{open, cut(open.Type(), v)}}
		}
		next, r := e.m.StepThread(s, thread, ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return v }))
		next.store.taint = nil
		if ret, ok := r.Event.(Returned); ok && !slices.Contains(e.out.Results, ret.Value) {
			e.out.Results = append(e.out.Results, ret.Value)
		}
		if a, ok := r.Event.(Acted); ok {
			if a.Action == cfa.ErrorAction && !e.actions[a.Action] {
				e.out.Steps = append(e.path(i), step)
			}
			e.actions[a.Action] = true
		}
		fresh = e.node(next, i, step) && fresh
	}
	return fresh
}

// path are the steps that lead to a node.
func (e *interleaver) path(i int) []ThreadStep {
	var steps []ThreadStep
	for ; e.nodes[i].parent >= 0; i = e.nodes[i].parent {
		steps = append(steps, e.nodes[i].step)
	}
	slices.Reverse(steps)
	return steps
}
