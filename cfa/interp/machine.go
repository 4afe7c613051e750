package interp

import (
	"fmt"

	"magus/cfa"
	"magus/smt/expr"
)

// A Machine executes one automaton. It is immutable and may be used by
// several goroutines at once.
type Machine struct {
	cfa   *cfa.CFA
	vars  []*expr.Expr // by number: those of the automaton, then any others that occur
	index map[*expr.Expr]int32
	locs  []laidOut
	// Of programs with threads: when writes of shared variables are seen by others.
	model  cfa.MemoryModel
	shared map[*expr.Expr]bool
}

// Under is the machine under another memory model; only threads make a difference.
func (m *Machine) Under(model cfa.MemoryModel) *Machine {
	out := *m
	out.model, out.shared = model, map[*expr.Expr]bool{}
	for _, v := range m.cfa.Shared() {
		out.shared[v] = true
	}
	return &out
}

// laidOut is a location with its terms laid out.
type laidOut struct {
	stmt     cfa.Stmt
	lhs      int32 // the variable that gets the value or result; -1 for none
	val      *code // the right-hand side, condition or returned value; nil for none
	args     []*code
	clobbers []int32
	when     *code // where the value is value, or any
	value    *code
	addr     *code // of an access of memory without variables
	length   *code
	succ     []cfa.Loc
}

// New compiles c. An automaton that breaks the rules of package cfa (a
// statement with the wrong number of successors) is a fault of the caller and
// panics.
func New(c *cfa.CFA) *Machine {
	m := &Machine{cfa: c, index: map[*expr.Expr]int32{}}
	for _, v := range c.Params {
		m.number(v)
	}
	for _, v := range c.Vars {
		m.number(v.Expr)
	}
	m.locs = make([]laidOut, len(c.Locs))
	for i := range c.Locs {
		m.locs[i] = m.layOut(cfa.Loc(i))
	}
	return m
}

// number is the variable's number.
func (m *Machine) number(v *expr.Expr) int32 {
	if v.Op() != expr.Var {
		panic(fmt.Sprintf("interp: %v is no variable", v))
	}
	i, ok := m.index[v]
	if !ok {
		i = int32(len(m.vars))
		m.index[v] = i
		m.vars = append(m.vars, v)
	}
	return i
}

func (m *Machine) layOut(l cfa.Loc) laidOut {
	loc := &m.cfa.Locs[l]
	p := laidOut{stmt: loc.Stmt, lhs: -1, succ: loc.Succ}
	want := 1
	switch s := loc.Stmt.(type) {
	case cfa.Assign:
		p.lhs = m.number(s.LHS)
		p.val = m.code(s.RHS)
		if s.Memory != nil {
			p.addr, p.length = m.code(s.Memory.Addr), m.code(s.Memory.Length)
		}
		if s.Exact != nil {
			p.when, p.value = m.code(s.Exact.When), m.code(s.Exact.Value)
		}
	case cfa.Branch:
		p.val, want = m.code(s.Cond), 2
	case cfa.Goto, cfa.Act, cfa.Join, cfa.Atomic:
	case cfa.Call:
		if s.LHS != nil {
			p.lhs = m.number(s.LHS)
		}
		for _, a := range s.Args {
			p.args = append(p.args, m.code(a))
		}
		for _, v := range s.Clobbers {
			p.clobbers = append(p.clobbers, m.number(v))
		}
	case cfa.Return:
		p.val, want = m.code(s.Value), 0
	case cfa.Halt, cfa.End:
		want = 0
	case cfa.Spawn:
		want = 2
	default:
		panic(fmt.Sprintf("interp: location %d has the statement %T", l, s))
	}
	if len(p.succ) != want {
		panic(fmt.Sprintf("interp: location %d (%v) has %d successors", l, loc.Stmt, len(p.succ)))
	}
	return p
}

// code lays out e; nil stays nil.
func (m *Machine) code(e *expr.Expr) *code {
	if e == nil {
		return nil
	}
	return compile(e, m.number)
}
