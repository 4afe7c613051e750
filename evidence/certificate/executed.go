package certificate

// The only run.
//
// Idea: a component without inputs has one run, and a proof that it does nothing wrong is to execute it. What is
// certified is how many statements that takes. The checker executes them with a value for each variable of which
// it is known: what is computed from known values is known, any value is not, and a branch on what is not known
// refutes the certificate, but where runs end on one side: no error is there, and on the other side all go on
// alike. Bytes of memory without variables have values likewise; what nobody has written begins as its area says.
//
// LAW: the automaton records all that changes memory without variables (its claim's cells are "every"), where it
// reads any.
//
// Source: docs/semantics.md; it is written from there and shares nothing with package interp. Cost: linear in the
// statements, with a table of variables and one of bytes.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
)

// Executed shows that the only component has one run, which ends.
type Executed struct {
	Steps int64 // statements

	line int
}

// A oneRun is the check of such a proof.
type oneRun struct {
	*Executed
	cfa    *cfa.CFA
	ch     *Checker
	spec   *lts.LTS
	at     cfa.Loc
	in     []lts.State // states of the specification
	values map[*expr.Expr]uint64
	memory map[uint64]int // bytes; lost for what nobody knows
	lost   bool           // all that is not in memory may have changed
	every  bool           // all that changes memory is recorded
}

// unknownByte stands for what nobody knows.
const unknownByte = -1

// checkExecuted checks that the component has one run, within the specification.
func (c *Certificate) checkExecuted(ctx context.Context, sub *Subject, checkers []*Checker) error {
	line := c.Executed.line
	if len(checkers) != 1 || !sub.Single() || len(sub.Components[0].CFA.Threads) > 0 {
		return refuted(line, "the run of one component, the claim has several")
	}
	if sub.Proof.HasError() {
		return refuted(line, "the specification has an ERROR state")
	}
	r := &oneRun{Executed: c.Executed, every: c.Cells == "every", cfa: sub.Components[0].CFA,
		ch: checkers[0], spec: sub.Proof, at: sub.Components[0].CFA.Entry, values: map[*expr.Expr]uint64{}, memory: map[uint64]int{}}
	r.in = closed(r.spec, []lts.State{r.spec.Init()})
	for n := int64(1); n <= r.Steps; n++ {
		if n%8 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		over, err := r.step()
		switch {
		case err != nil:
			return err
		case over && n < r.Steps:
			return refuted(line, "the run ends after %d statements, not %d", n, r.Steps)
		case over:
			return nil
		}
	}
	return refuted(line, "the run goes on behind %d statements", r.Steps)
}

// step executes a statement, and reports whether it is the last one.
func (r *oneRun) step() (over bool, err error) {
	l := &r.cfa.Locs[r.at]
	next := 0
	switch s := l.Stmt.(type) {
	case cfa.Goto:
	case cfa.Assign:
		r.assign(s)
	case cfa.Branch:
		switch v, known := r.value(s.Cond); {
		case known && v != 0, !known && r.halts(l.Succ[1]):
		case known, r.halts(l.Succ[0]):
			next = 1
		default:
			return false, refuted(r.line, "what comes behind %v is not known", l.Pos)
		}
	case cfa.Act:
		if s.Action == r.cfa.Cut || s.Action == r.cfa.Skip {
			return false, refuted(r.line, "the run comes to what is not followed at %v", l.Pos)
		}
		if !r.performs(s.Action) {
			return false, refuted(r.line, "the run leaves the specification at %v", l.Pos)
		}
	case cfa.Return, cfa.Halt:
		return true, nil
	default:
		return false, refuted(r.line, "what the call at %v does is not known", l.Pos)
	}
	r.at = l.Succ[next]
	return false, nil
}

// halts reports whether a run ends at a location, or behind statements that do nothing.
func (r *oneRun) halts(at cfa.Loc) bool {
	for range r.cfa.Locs {
		switch l := &r.cfa.Locs[at]; l.Stmt.(type) {
		case cfa.Halt:
			return true
		case cfa.Goto:
			at = l.Succ[0]
		default:
			return false
		}
	}
	return false
}

// performs has the specification follow an action, and reports whether it can.
func (r *oneRun) performs(action string) bool {
	a := r.ch.prog.comp.Actions.Intern(action)
	if !r.spec.HasAction(a) {
		return true
	}
	r.in = after(r.spec, r.in, a)
	return len(r.in) > 0
}

// value is that of a term, if all of its variables have one.
func (r *oneRun) value(e *expr.Expr) (v uint64, known bool) {
	known = true
	v = expr.Eval(e, func(x *expr.Expr) uint64 {
		is, has := r.values[x]
		known = known && has
		return is
	})
	return v, known
}

// assign gives a variable a value, or takes the one it has away.
func (r *oneRun) assign(s cfa.Assign) {
	v, known := r.assigned(s)
	if known {
		v &= s.LHS.Type().Mask()
		r.values[s.LHS] = v
	} else {
		delete(r.values, s.LHS)
	}
	if s.Memory == nil || s.Memory.Kind == cfa.Read || s.Memory.Kind == cfa.Give {
		return
	}
	r.change(s.Memory, v, known && s.Memory.Kind != cfa.Forget)
}

func (r *oneRun) assigned(s cfa.Assign) (v uint64, known bool) {
	if s.RHS != nil {
		v, known = r.value(s.RHS)
		return v, known && s.Approx == ""
	}
	if x := s.Exact; x != nil && x.When != nil && x.Value != nil {
		when, told := r.value(x.When)
		if v, known = r.value(x.Value); told && known && when != 0 {
			return v, true
		}
	}
	if s.Memory != nil && s.Memory.Kind == cfa.Read {
		return r.read(s.Memory)
	}
	return 0, false
}

// read is what stands in memory.
func (r *oneRun) read(m *cfa.Access) (v uint64, known bool) {
	if !r.every || m.Addr == nil || m.Size < 1 || m.Size > 8 {
		return 0, false
	}
	addr, known := r.value(m.Addr)
	if !known {
		return 0, false
	}
	area := m.AreaAt(addr, m.Size)
	if area == nil || !r.recorded(area) {
		return 0, false
	}
	for i := range uint64(m.Size) {
		b, written := r.memory[addr+i]
		if !written {
			b = r.first(area, addr+i)
		}
		if b == unknownByte {
			return 0, false
		}
		v |= uint64(b) << (8 * i)
	}
	return v, true
}

// first is the byte that an area begins with.
func (r *oneRun) first(area *cfa.Area, addr uint64) int {
	if r.lost {
		return unknownByte
	}
	for _, part := range area.Initial {
		if addr < part.At || addr-part.At >= uint64(part.Size) {
			continue
		}
		if part.Value == nil || !part.Value.IsConst() {
			return unknownByte
		}
		return int(part.Value.Value() >> (8 * (addr - part.At)) & 0xff)
	}
	if area.Zero {
		return 0
	}
	return unknownByte
}

// recorded reports whether an area is a whole object whose changes all are statements.
func (r *oneRun) recorded(a *cfa.Area) bool {
	if a.Scattered || slices.ContainsFunc(r.cfa.Unrecorded, func(u cfa.Area) bool {
		return u.First <= a.Last && a.First <= u.Last
	}) {
		return false
	}
	return slices.ContainsFunc(r.cfa.Objects, func(o cfa.Object) bool {
		return o.Base == a.First && o.Base+o.Size-1 == a.Last && o.Size > 0 && !o.Function
	})
}

// mostBytes is how many bytes a statement changes of which each is known; it is as good as any other number.
const mostBytes = 1 << 22

// change writes a value to memory, or one that nobody knows.
func (r *oneRun) change(m *cfa.Access, v uint64, known bool) {
	lose := func() { r.memory, r.lost = map[uint64]int{}, true }
	if m.Addr == nil {
		lose()
		return
	}
	addr, told := r.value(m.Addr)
	size := uint64(m.Size)
	if m.Length != nil {
		long, also := r.value(m.Length)
		if size, told = long, told && also; told && size == 0 {
			return
		}
	}
	if !told || size == 0 || size > mostBytes {
		lose()
		return
	}
	for i := range size {
		b := int(v >> (8 * (i % 8)) & 0xff)
		if m.Kind == cfa.Fill {
			b = int(v & 0xff)
		}
		if !known || m.Kind == cfa.Write && i >= 8 {
			b = unknownByte
		}
		r.memory[addr+i] = b
	}
}
