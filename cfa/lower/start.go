package lower

// What is assumed of the start of the component's procedure.
//
// Idea: a condition is evaluated where the procedure begins, as C evaluates it there, and a run in which it does not
// hold ends. Where a pointer on the way is NULL, a number behind it is any, and a pointer NULL too. Where code that is
// looked at calls the procedure again, the condition has to hold of the call: else the action error is performed.
// Conditions on parameters and globals alone need no code at the start, for they are conditions on the initial states.
//
// Source: preconditions as in contracts (Meyer: Applying "design by contract", Computer 25, 1992), checked at the calls
// that are seen. Cost: a branch for each condition at the start and at each such call.

import (
	"fmt"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
)

// A Start is a condition on how the component's procedure starts.
type Start struct {
	Text string
	Cond Condition
	// Initial says that it is one on the initial states, so that nothing has to be done at the start.
	Initial bool
}

// startsWhere ends runs in which what is assumed does not hold.
func (l *lowerer) startsWhere(pr *source.Procedure, params []*expr.Expr) {
	for _, start := range l.opt.Starts {
		if start.Initial {
			continue
		}
		s := l.startScope(pr, pr.Pos)
		for i, v := range params {
			s.c.vals = append(s.c.vals, value{l.ctypeOf(source.Parameters(pr.Type)[i].Type()), v, nil})
		}
		holds, not := l.startTest(start, s)
		if l.Continue(not); len(not) > 0 {
			l.Halt(cfa.AssumptionFails, pr.Pos)
		}
		l.Continue(holds)
	}
}

// checkStart performs error where a call of the component's procedure breaks what is assumed of its start.
func (l *calls) checkStart(c *callSite, pr *source.Procedure, vals []value) {
	if len(l.opt.Starts) == 0 || pr != l.instances[0].proc || l.fr.isOutOfLine() {
		return
	}
	for _, start := range l.opt.Starts {
		if l.Dead() {
			return
		}
		s := l.startScope(pr, c.pos)
		s.c.vals, s.untold = vals, "what stands behind NULL"
		holds, not := l.startTest(start, s)
		if l.Continue(not); len(not) > 0 {
			l.Emit(cfa.Act{Action: "breaks{" + start.Text + "}"}, c.pos)
			l.Error(fmt.Sprintf("breaks what is assumed of %s: %s", pr.Name, start.Text), c.pos)
		}
		l.Continue(holds)
	}
}

// startScope has what a condition names where the procedure begins.
func (l *lowerer) startScope(pr *source.Procedure, pos cfa.Pos) *observedScope {
	return &observedScope{observing: l.observing, c: &callSite{typ: pr.Type, pos: pos, name: pr.Name}, declared: true,
		globals: true, begins: pr}
}

func (l *lowerer) startTest(start Start, s *observedScope) (holds, not cfa.Ends) {
	t, err := start.Cond(l.Pool, s)
	switch {
	case l.Dead() || l.Err() != nil:
		return nil, nil
	case err != nil:
		l.Stop(err)
		return nil, nil
	}
	return l.Branch(t, s.c.pos)
}

// parameterNamed is the number of the parameter of a name, from 1.
func (s *observedScope) parameterNamed(name string) (int, bool) {
	if s.begins == nil {
		return 0, false
	}
	for i, q := range source.Parameters(s.begins.Type) {
		if q.Name() == name {
			return i + 1, true
		}
	}
	return 0, false
}

// readBehind reads what stands at the end of a path; where the pointer to it is NULL, that is any value.
func (s *observedScope) readBehind(p lvalue, path string) value {
	if s.begins == nil || p.v != nil || p.Base == nil || p.Base.IsConst() || !p.t.scalar() || s.Dead() {
		return s.accesses.read(p, s.node())
	}
	name := strings.TrimLeft(path, "*&")
	v := s.Temp(name, p.t.typ, s.c.pos)
	s.mem.MarkPointer(v, p.t.class == classPtr)
	none, some := s.Branch(s.Pool.Eq(p.Base, s.Pool.Const(p.Base.Type(), 0)), s.c.pos)
	s.Continue(none)
	if len(none) > 0 {
		any := s.Pool.Const(p.t.typ, 0)
		if p.t.class != classPtr {
			any = s.Any(p.t.typ, name, s.untold, s.c.pos)
		}
		s.Assign(v, any, s.c.pos)
	}
	ends := s.Ends()
	s.Continue(some)
	if read := s.accesses.read(p, s.node()); read.t != nil && !s.Dead() {
		s.Assign(v, read.t, s.c.pos)
	}
	s.Join(ends)
	return value{p.t, v, nil}
}
