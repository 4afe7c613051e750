package interp

// All interleavings of a program with threads over small domains: the oracle of the tests.
//
// Idea: breadth-first search over states. Where some thread's next statement touches
// nothing that others do, it is enough to let that thread go on first, unless that leads to a state
// that is known: two such statements commute, and on each cycle of states one is
// expanded fully. What a thread does then without a choice is one move with what comes before, and so is a section.
// States that differ in what no thread reads any more are the same.
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
	"magus/internal/bitset"
	"magus/smt/expr"
)

// Interleavings are what all runs of a program with threads come to.
type Interleavings struct {
	States  int
	Actions []string // that some run performs, sorted
	// Results are what main returns, where it does, increasing.
	Results []uint64
	// Stuck are states in which no thread makes a step, and the process has not ended.
	Stuck []ThreadState
	// Steps leads to the first error, if there is one.
	Steps []ThreadStep
	// Race says that in some state two threads come to conflicting accesses next, of which not both
	// are in sections; Deadlock that some state is one.
	Race, Deadlock bool
}

// Performs reports whether some run performs an action.
func (i *Interleavings) Performs(action string) bool { return slices.Contains(i.Actions, action) }

type threadNode struct {
	state  ThreadState
	parent int
	steps  []ThreadStep // of one thread
}

// longestMove is how many steps are one move at most: threads may go round for ever.
const longestMove = 1000

type interleaver struct {
	m       *Machine
	domain  func(v *expr.Expr) []uint64
	local   []bool // by location: nobody else touches what the statement does
	live    []bitset.Set[int32]
	read    bitset.Set[int32] // of one state: what some thread may read
	nodes   []threadNode
	index   map[string]int
	actions map[string]bool
	out     *Interleavings
}

// Interleave finds what runs reach when every open choice takes the values of its
// variable's domain and initial values are 0, at most limit states. The error is ErrLimit (wrapped) or that of ctx.
func (m *Machine) Interleave(ctx context.Context, domain func(v *expr.Expr) []uint64,
	limit int) (*Interleavings, error) {
	live, err := m.live(ctx)
	if err != nil {
		return nil, err
	}
	e := &interleaver{m: m, domain: domain, local: m.localSteps(), live: live, read: bitset.New[int32](len(m.vars)),
		index: map[string]int{}, actions: map[string]bool{}, out: &Interleavings{}}
	e.node(m.InitialThreads(nil), -1, nil)
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
			local[i] = !(ok && a.Memory != nil) && !slices.ContainsFunc(append(read, written...),
				func(v *expr.Expr) bool { return shared[v] })
		}
	}
	return local
}

// node enters a state and reports whether it is new.
func (e *interleaver) node(s ThreadState, parent int, steps []ThreadStep) bool {
	k := []byte{byte(s.within + 1), byte(truth(s.ended))}
	clear(e.read)
	for t, at := range s.at {
		k = append(k, byte(s.status[t]))
		k = binary.AppendVarint(k, int64(at))
		if s.status[t] == Runs && !s.ended {
			e.read.Unite(e.live[at])
		}
	}
	for v := range e.read.All() {
		k = binary.AppendUvarint(k, s.store.vals[v])
	}
	for t, late := range s.late {
		for _, b := range late {
			k = binary.AppendUvarint(append(k, byte(t+1)), uint64(e.m.index[b.Var]))
			k = append(binary.AppendUvarint(k, b.Value), byte(truth(b.closed)))
		}
	}
	if _, ok := e.index[string(k)]; ok {
		return false
	}
	e.index[string(k)] = len(e.nodes)
	e.nodes = append(e.nodes, threadNode{s, parent, steps})
	return true
}

func (e *interleaver) expand(i int) {
	s := e.nodes[i].state
	if s.ended {
		return
	}
	e.out.Race = e.out.Race || e.m.Races(s)
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
			e.node(next, i, []ThreadStep{{Thread: t, Commit: v}})
		}
	}
	if !moves {
		e.out.Stuck = append(e.out.Stuck, s)
	}
}

// take makes the next move of a thread for each value that its first statement leaves open, and reports
// whether all states are new that it leads to.
func (e *interleaver) take(i, thread int) bool {
	fresh := true
	values := []uint64{0}
	if v := e.open(&e.nodes[i].state, thread); v != nil {
		values = e.domain(v)
	}
	for _, v := range values {
		next := e.nodes[i].state.clone()
		var steps []ThreadStep
		for range longestMove {
			steps = append(steps, e.step(&next, thread, v))
			if e.actions[cfa.ErrorAction] && e.out.Steps == nil {
				e.out.Steps = append(e.path(i), steps...)
			}
			if !e.goesOn(&next, thread) {
				break
			}
		}
		next.store.taint = nil
		fresh = e.node(next, i, steps) && fresh
	}
	return fresh
}

// open is the variable whose value the next statement of a thread leaves open, nil if there is none.
func (e *interleaver) open(s *ThreadState, thread int) *expr.Expr {
	if a, ok := e.m.locs[s.at[thread]].stmt.(cfa.Assign); ok && a.RHS == nil {
		return a.LHS
	}
	return nil
}

// goesOn reports whether the next step of a thread belongs to its move: nobody else can make one, or can notice it.
func (e *interleaver) goesOn(s *ThreadState, thread int) bool {
	return s.Waits(thread) == "" && (s.within == thread || e.local[s.at[thread]]) && e.open(s, thread) == nil
}

// step executes the next statement of a thread, with a value for what it leaves open.
func (e *interleaver) step(s *ThreadState, thread int, value uint64) ThreadStep {
	step := ThreadStep{Thread: thread, Loc: s.at[thread]}
	if v := e.open(s, thread); v != nil {
		step.Choices = []Binding{{v, cut(v.Type(), value)}}
	}
	switch event := s.step(thread, ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return value })).Event.(type) {
	case Returned:
		if !slices.Contains(e.out.Results, event.Value) {
			e.out.Results = append(e.out.Results, event.Value)
		}
	case Acted:
		e.actions[event.Action] = true
	}
	return step
}

// path are the steps that lead to a node.
func (e *interleaver) path(i int) []ThreadStep {
	var steps []ThreadStep
	for ; e.nodes[i].parent >= 0; i = e.nodes[i].parent {
		steps = append(slices.Clone(e.nodes[i].steps), steps...)
	}
	return steps
}
