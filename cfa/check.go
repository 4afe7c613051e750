package cfa

import (
	"fmt"

	"magus/internal/graph"
	"magus/smt/expr"
)

// Check lists the violations of an automaton's invariants: the number of
// successors of each statement, types that agree, everything reachable from
// the entry, terms over the automaton's own variables, places known, no Goto
// but in empty loops. It does not check that the automaton means what the
// source does.
func (c *CFA) Check() []string {
	k := &checker{c: c, vars: map[*expr.Expr]bool{}}
	for _, v := range c.Vars {
		if k.vars[v.Expr] {
			k.addf("variable %v is listed twice", v.Expr)
		}
		k.vars[v.Expr] = true
		if v.Frame < -1 || v.Frame >= len(c.Frames) || (v.Frame == -1) != (v.Kind == Global) {
			k.addf("variable %v has frame %d", v.Expr, v.Frame)
		}
	}
	for _, p := range c.Params {
		k.declared("parameter", p)
	}
	for i, l := range c.Locs {
		k.at = fmt.Sprintf("%d: %v", i, l.Stmt)
		k.location(l)
	}
	k.at = ""
	for i, ok := range k.reachable() {
		if !ok {
			k.addf("location %d is not reachable", i)
		}
	}
	k.threads()
	for i, f := range c.Frames {
		if i == 0 && f.Parent != -1 || i > 0 && (f.Parent < 0 || f.Parent >= i) {
			k.addf("frame %d has parent %d", i, f.Parent)
		}
	}
	return k.faults
}

type checker struct {
	c      *CFA
	vars   map[*expr.Expr]bool
	at     string
	faults []string
}

func (k *checker) addf(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if k.at != "" {
		s = k.at + ": " + s
	}
	k.faults = append(k.faults, s)
}

func (k *checker) declared(what string, es ...*expr.Expr) {
	for _, e := range es {
		if e.Op() == expr.XPair {
			k.addf("%s: %v is two words", what, e)
		}
	}
	for _, v := range expr.Vars(es...) {
		if !k.vars[v] {
			k.addf("%s: %v is no variable of the automaton", what, v)
		}
	}
}

func (k *checker) location(l Location) {
	want := 1
	switch s := l.Stmt.(type) {
	case Assign:
		k.declared("assignment", s.LHS)
		if s.LHS.Op() != expr.Var {
			k.addf("assignment to a term")
		}
		if s.RHS != nil {
			k.declared("assignment", s.RHS)
			if s.RHS.Type() != s.LHS.Type() {
				k.addf("%v of type %v takes type %v", s.LHS, s.LHS.Type(), s.RHS.Type())
			}
		} else if s.Nondet == "" {
			k.addf("any value from nowhere")
		}
		if s.Memory != nil {
			k.access(s)
		}
		if s.Exact != nil {
			k.exact(s)
		}
	case Branch:
		want = 2
		k.declared("condition", s.Cond)
		if !s.Cond.Type().IsBool() {
			k.addf("condition of type %v", s.Cond.Type())
		}
	case Goto:
	case Call:
		k.call(s)
	case Act:
		if s.Action == "" {
			k.addf("action without a name")
		}
		if m := s.Message; m != nil {
			k.message(m)
		}
	case Return:
		want = 0
		k.returned(s)
	case Halt, End:
		want = 0
	case Spawn:
		want = 2
	case Join, Atomic:
	default:
		k.addf("statement of type %T", s)
	}
	if len(l.Succ) != want {
		k.addf("%d successors", len(l.Succ))
	}
	for _, s := range l.Succ {
		if s < 0 || int(s) >= len(k.c.Locs) {
			k.addf("successor %d", s)
		}
	}
	if !l.Pos.IsValid() || l.Frame < 0 || l.Frame >= len(k.c.Frames) {
		k.addf("place %v, frame %d", l.Pos, l.Frame)
	}
}

// threads checks what thread.go says of automata with threads, but for the number of
// shared accesses of a statement.
func (k *checker) threads() {
	c := k.c
	if len(k.faults) > 0 {
		return // what follows goes from location to location
	}
	in, of := c.InSection(), c.ThreadOf()
	spawned := make([]bool, len(c.Threads))
	for i, l := range c.Locs {
		k.at = fmt.Sprintf("%d: %v", i, l.Stmt)
		within := in[i]
		switch s := l.Stmt.(type) {
		case Spawn:
			if k.other(s.Thread, in[i]); s.Thread > 0 && s.Thread < len(c.Threads) {
				if t := c.Threads[s.Thread]; spawned[s.Thread] || t.Spawn != Loc(i) || t.Entry != l.Succ[1] {
					k.addf("the thread begins elsewhere")
				}
				spawned[s.Thread] = true
			}
		case Join:
			k.other(s.Thread, in[i])
		case End:
			k.other(int(of[i]), in[i])
		case Atomic:
			if within = s.Begin; in[i] == within {
				k.addf("sections do not nest")
			}
		}
		for _, n := range c.Next(Loc(i)) {
			if len(c.Threads) > 0 && (in[n] != within || of[n] != of[i]) {
				k.addf("leads to %d of another thread, or that is in a section on other ways", n)
			}
		}
	}
	k.at = ""
}

// other checks the thread of a statement that may stand outside of sections only.
func (k *checker) other(thread int, section bool) {
	if thread < 0 || thread >= len(k.c.Threads) {
		k.addf("thread %d of %d", thread, len(k.c.Threads))
	}
	if section {
		k.addf("within a section")
	}
}

func (k *checker) exact(s Assign) {
	k.declared("condition of a value", s.Exact.When)
	if s.RHS != nil || s.Approx == "" || !s.Exact.When.Type().IsBool() {
		k.addf("a value that is modelled, and one that may be")
	}
	if v := s.Exact.Value; v != nil {
		k.declared("value", v)
		if v.Type() != s.LHS.Type() {
			k.addf("%v of type %v may be %v of type %v", s.LHS, s.LHS.Type(), v, v.Type())
		}
	}
}

func (k *checker) access(s Assign) {
	for _, t := range []*expr.Expr{s.Memory.Addr, s.Memory.Length} {
		if t != nil {
			k.declared("address", t)
		}
	}
	if s.Memory.Kind == Read && (s.RHS != nil || s.Approx == "") {
		k.addf("a read of memory without variables that is computed")
	}
	if s.Memory.Addr == nil && s.Memory.Kind != Forget && s.Memory.Kind != Give {
		k.addf("an access of no address")
	}
}

func (k *checker) call(s Call) {
	k.declared("arguments", s.Reads()...)
	k.declared("clobbers", s.Clobbers...)
	for _, v := range s.Clobbers {
		if v.Op() != expr.Var || v == s.LHS {
			k.addf("clobbers %v", v)
		}
	}
	if s.LHS != nil {
		k.declared("result", s.LHS)
		if s.LHS.Type() != s.Ret {
			k.addf("result of type %v goes to type %v", s.Ret, s.LHS.Type())
		}
	}
}

func (k *checker) returned(s Return) {
	switch {
	case s.Value == nil && !k.c.Ret.IsBool():
		k.addf("no value")
	case s.Value != nil && s.Value.Type() != k.c.Ret:
		k.addf("value of type %v", s.Value.Type())
	case s.Value != nil:
		k.declared("value", s.Value)
	}
}

func (k *checker) reachable() []bool {
	if n := len(k.c.Locs); n == 0 || int(k.c.Entry) >= n {
		k.addf("no entry")
		return nil
	}
	return graph.Reachable(known(k.c.Locs), int(k.c.Entry))
}

// message checks what an action carries.
func (k *checker) message(m *Message) {
	if len(m.Parts) == 0 {
		k.addf("a message without a value")
	}
	for _, p := range m.Parts {
		switch {
		case m.Sends != (p.Value != nil):
			k.addf("a message that sends: %v, with the value %v", m.Sends, p.Value)
		case m.Sends:
			k.declared("message", p.Value)
			if p.Value.Type() != p.Type {
				k.addf("%v of type %v is sent as %v", p.Value, p.Value.Type(), p.Type)
			}
		}
	}
}
