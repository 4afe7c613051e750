package interp

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A State is a location with the values of all variables. States are
// immutable.
type State struct {
	m     *Machine
	loc   cfa.Loc
	ended bool
	vals  []uint64 // bit patterns by the variable's number, cut to its width
	// taint has for each variable 0, or 1 + the location of the assignment
	// whose value is not modelled; nil if no variable is tainted.
	taint []int32
	// memory is what the run has done to memory without variables.
	memory []access
	late   bool // others see what is written to it later than this run has it
}

// A Binding is a variable with a bit pattern for it.
type Binding struct {
	Var   *expr.Expr
	Value uint64
}

// String is "x = 3", the value read by the variable's type.
func (b Binding) String() string {
	return b.Var.Name() + " = " + b.Var.Type().Show(b.Value)
}

// A Taint says that a decision depends on a value that is not modelled.
type Taint struct {
	Reason string  // why the value is not modelled
	Pos    cfa.Pos // where the value comes from
	From   cfa.Loc // the assignment there
	Loc    cfa.Loc // the location that decides
	At     cfa.Pos // its place
	// Body is the routine whose body gives the value, "" if it is not one's.
	Body string
}

// String names both places and the reason.
func (t *Taint) String() string {
	return fmt.Sprintf("%v: depends on %s at %v", t.At, t.Reason, t.Pos)
}

// Initial is the state at the automaton's entry. values gives the value of
// every variable before the first statement; nil stands for zeros.
func (m *Machine) Initial(values func(v *expr.Expr) uint64) State {
	s := State{m: m, loc: m.cfa.Entry, vals: make([]uint64, len(m.vars))}
	if values != nil {
		for i, v := range m.vars {
			s.vals[i] = cut(v.Type(), values(v))
		}
	}
	return s
}

// Loc is the location whose statement comes next; in an ended state, that of
// the last statement.
func (s State) Loc() cfa.Loc { return s.loc }

// Value is the bit pattern of v, and false if the automaton has no such
// variable.
func (s State) Value(v *expr.Expr) (uint64, bool) {
	i, ok := s.m.index[v]
	if !ok {
		return 0, false
	}
	return s.vals[i], true
}

// Eval is the value of e in s, by expr.Eval; variables that the automaton does
// not have are 0. It is for terms of the caller's own, such as predicates.
func (s State) Eval(e *expr.Expr) uint64 {
	return expr.Eval(e, func(v *expr.Expr) uint64 { val, _ := s.Value(v); return val })
}

func (s State) clone() State {
	s.vals, s.taint, s.memory = slices.Clone(s.vals), slices.Clone(s.taint), slices.Clip(s.memory)
	return s
}

// origin is the taint of the code's value: that of the first tainted variable
// that occurs in it, or 0.
func (s *State) origin(c *code) int32 {
	if s.taint == nil || c == nil {
		return 0
	}
	for _, v := range c.vars {
		if t := s.taint[v]; t != 0 {
			return t
		}
	}
	return 0
}

// set gives the variable a value with its taint.
func (s *State) set(v int32, val uint64, taint int32) {
	s.vals[v] = cut(s.m.vars[v].Type(), val)
	if s.taint == nil {
		if taint == 0 {
			return
		}
		s.taint = make([]int32, len(s.vals))
	}
	s.taint[v] = taint
}

// tainted describes an origin for a decision at s's location; nil for 0.
func (s *State) tainted(origin int32) *Taint {
	if origin == 0 {
		return nil
	}
	from := &s.m.cfa.Locs[origin-1]
	stmt := from.Stmt.(cfa.Assign)
	return &Taint{
		Reason: cmp.Or(stmt.Approx, "when others see what is written to memory"),
		Body:   stmt.Body,
		Pos:    from.Pos,
		From:   cfa.Loc(origin - 1),
		Loc:    s.loc,
		At:     s.m.cfa.Locs[s.loc].Pos,
	}
}
