package interp

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// Choices decide what the automaton leaves open.
//
// Law: Value is asked once for each open variable of a step, in this order:
// the variables that a call may change, in the statement's order, then the
// variable that takes its result. Only the bits of v's type count.
type Choices interface {
	// Value is the value that v gets by the statement at loc: an assignment
	// of any value, or a call.
	Value(loc cfa.Loc, v *expr.Expr) uint64
}

// ChoiceFunc makes Choices of a function.
type ChoiceFunc func(loc cfa.Loc, v *expr.Expr) uint64

// Value calls f.
func (f ChoiceFunc) Value(loc cfa.Loc, v *expr.Expr) uint64 { return f(loc, v) }

// An Event says what kind of step was made. The set of types is closed.
type Event interface{ event() }

type (
	// Tau is an internal step.
	Tau struct{}
	// Acted is a visible action.
	Acted struct{ Action string }
	// Called is a call of a routine that is given by an abstraction; which
	// actions it performs is not the automaton's matter.
	Called struct {
		Callee string
		Args   []uint64 // bit patterns of the arguments' types
	}
	// Returned is the end of the component by a return.
	Returned struct {
		Value uint64
		Has   bool // whether there is a value
	}
	// Halted is the end of the component without a return.
	Halted struct{ Reason string }
	// Repeated are many rounds of a loop, as a script had them: the locations of one, and how many.
	Repeated struct {
		Round []cfa.Loc
		Times uint64
	}
)

func (Tau) event()      {}
func (Acted) event()    {}
func (Called) event()   {}
func (Returned) event() {}
func (Halted) event()   {}
func (Repeated) event() {}

// A StepResult is what a statement did.
type StepResult struct {
	Next    State
	Event   Event
	Changed []Binding // the variables that got a value, in order
	// Tainted is not nil if the branch taken, an argument passed or the value
	// returned depends on a value that is not modelled.
	Tainted *Taint
}

// Step executes the statement at s's location. A call is executed as a whole:
// its result and the variables that it may change are taken from ch. Step of
// an ended state is a fault of the caller and panics.
func (m *Machine) Step(s State, ch Choices) StepResult {
	next := s.clone()
	r := next.step(ch)
	r.Next = next
	return r
}

// step executes in place and leaves the result's Next empty.
func (s *State) step(ch Choices) StepResult {
	if s.ended {
		panic("interp: a step after the end")
	}
	p := &s.m.locs[s.loc]
	r := StepResult{Event: Tau{}}
	switch stmt := p.stmt.(type) {
	case cfa.Assign:
		r.Changed = s.assign(stmt, p, ch)
	case cfa.Branch:
		if !stmt.Known {
			r.Tainted = s.tainted(s.origin(p.val))
		}
		if p.val.eval(s.vals) == 0 {
			s.loc = p.succ[1]
			return r
		}
	case cfa.Act:
		r.Event = Acted{stmt.Action}
	case cfa.Call:
		r.Event, r.Tainted = Called{stmt.Callee, s.args(p)}, s.tainted(s.argsOrigin(p))
		r.Changed = s.result(p, ch)
	case cfa.Return:
		r.Event, r.Tainted = s.returned(p), s.tainted(s.origin(p.val))
	case cfa.Halt:
		r.Event = Halted{stmt.Reason}
	case cfa.Spawn, cfa.Join, cfa.Atomic, cfa.End:
		panic("interp: a step of one thread in an automaton with several")
	}
	if len(p.succ) == 0 {
		s.ended = true
		return r
	}
	s.loc = p.succ[0]
	return r
}

// enter is a call that does not return: the routine is called, but nothing of
// what the call does to the component is seen.
func (s *State) enter() StepResult {
	p := &s.m.locs[s.loc]
	return StepResult{Event: Called{p.stmt.(cfa.Call).Callee, s.args(p)}, Tainted: s.tainted(s.argsOrigin(p))}
}

func (s *State) assign(stmt cfa.Assign, p *laidOut, ch Choices) []Binding {
	taint := s.origin(p.val)
	if stmt.Approx != "" {
		taint = int32(s.loc) + 1
	}
	val := uint64(0)
	if p.val != nil {
		val = p.val.eval(s.vals)
	} else {
		val = ch.Value(s.loc, stmt.LHS)
	}
	if stmt.Keeps && s.vals[p.lhs] == cut(stmt.LHS.Type(), val) {
		return nil // it is what it was
	}
	if s.exact(p, cut(stmt.LHS.Type(), val)) {
		s.set(p.lhs, val, 0)
		return []Binding{{stmt.LHS, s.vals[p.lhs]}}
	}
	s.set(p.lhs, val, taint)
	if stmt.Memory != nil {
		if stmt.Memory.Kind == cfa.Read {
			taint = 0
		}
		s.set(p.lhs, val, s.remember(stmt, p, taint))
	}
	return []Binding{{stmt.LHS, s.vals[p.lhs]}}
}

// exact reports whether a value that is not modelled is the one that the program
// computes on this run.
func (s *State) exact(p *laidOut, val uint64) bool {
	if p.when == nil || s.origin(p.when) != 0 || p.when.eval(s.vals) == 0 {
		return false
	}
	return p.value == nil || s.origin(p.value) == 0 && p.value.eval(s.vals) == val
}

// args are the values of a call's arguments.
func (s *State) args(p *laidOut) []uint64 {
	vals := make([]uint64, len(p.args))
	for i, a := range p.args {
		vals[i] = a.eval(s.vals)
	}
	return vals
}

// argsOrigin is the taint of a call's first tainted argument.
func (s *State) argsOrigin(p *laidOut) int32 {
	for _, a := range p.args {
		if t := s.origin(a); t != 0 {
			return t
		}
	}
	return 0
}

// result gives a value to everything that a call may change. What a tainted
// argument leads to is tainted.
func (s *State) result(p *laidOut, ch Choices) []Binding {
	taint := s.argsOrigin(p)
	open := slices.Clone(p.clobbers)
	if p.lhs >= 0 {
		open = append(open, p.lhs)
	}
	changed := make([]Binding, len(open))
	for i, v := range open {
		s.set(v, ch.Value(s.loc, s.m.vars[v]), taint)
		changed[i] = Binding{s.m.vars[v], s.vals[v]}
	}
	return changed
}

func (s *State) returned(p *laidOut) Returned {
	if p.val == nil {
		return Returned{}
	}
	return Returned{Value: p.val.eval(s.vals), Has: true}
}
