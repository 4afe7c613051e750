package lower

// Sections that are executed in one piece, and accesses one by one.
//
// Idea: what begins and ends a section is written where the text has it. Sections in
// sections are made one afterwards: the depth is a number that is the same on all paths to a
// location, or the program is refused there.
//
// A term that mentions a variable reads it where the term is evaluated. With threads this
// has to be where C reads it, and once for each time that C does. So what another thread
// may touch is read into a temporary at once (read in lvalue.go). For a local variable
// whose address nobody takes the term is enough. Statements that resolution makes
// with several accesses, such as copies of structures, are taken apart at last.
//
// Cost: linear in the automaton.

import (
	"slices"

	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// sectionPrefix begins the names of functions whose bodies are sections.
const sectionPrefix = "__VERIFIER_atomic_"

// section begins or ends a section, where there are threads.
func (l *threading) section(begin bool, pos cfa.Pos) {
	if l.concurrent() && !l.Dead() {
		l.Emit(cfa.Atomic{Begin: begin}, pos)
	}
}

// access begins or ends a section that is one access.
func (l *threading) access(begin bool, pos cfa.Pos) {
	if l.concurrent() && !l.Dead() {
		l.Emit(cfa.Atomic{Begin: begin, Access: true}, pos)
	}
}

// release begins a section that is one access, behind what was written before.
func (l *threading) release(pos cfa.Pos) {
	if l.concurrent() && !l.Dead() {
		l.Emit(cfa.Atomic{Begin: true, Access: true, Release: true}, pos)
	}
}

// sectionEnd is a call that begins or ends a section.
func sectionEnd(l *lowerer, c *callSite) value {
	l.library.effects(c)
	switch begin := strings.HasSuffix(c.name, "_begin"); {
	case strings.HasPrefix(c.name, modelPrefix+"access"):
		l.threading.access(begin, c.pos)
	case strings.HasPrefix(c.name, modelPrefix+"release"):
		l.threading.release(c.pos)
	default:
		l.threading.section(begin, c.pos)
	}
	return l.calls.anyResult(c, "")
}

// isSection reports whether the body of a procedure is one section.
func (l *facts) isSection(pr *source.Procedure) bool {
	return strings.HasPrefix(pr.Name, sectionPrefix) && !l.prog.IsModel(pr.File)
}

// inOnePiece begins a section if an lvalue is _Atomic, and gives what ends it.
func (l *threading) inOnePiece(n cc.ExpressionNode) func() {
	if !l.accesses.isAtomic(n) {
		return func() {}
	}
	pos := source.Position(n.Position())
	l.section(true, pos)
	return func() { l.section(false, pos) }
}

// private reports whether no other thread can touch an lvalue: it is a local variable whose
// address nobody takes, or there are no other threads.
func (l *threading) private(p lvalue) bool {
	if !l.concurrent() {
		return true
	}
	return p.v != nil && p.d != nil && l.fr.locals[p.d] == p.v && !p.d.AddressTaken()
}

// neverStored is the initial value of a global variable that nothing stores to, where it begins
// with that; nil for others.
func (l *threading) neverStored(p lvalue) *expr.Expr {
	if p.d == nil || p.d.IsVolatile() {
		return nil
	}
	o := l.prog.Object(p.d)
	if o == nil || !o.Defined || o.Stores > 0 || o.Addressed || o.Asm || o.Library {
		return nil
	}
	if g := l.objects.global(o); !g.Starts || g.Elsewhere {
		return nil
	}
	e := source.ScalarInit(o.Init)
	if e == nil {
		if o.Init != nil {
			return nil
		}
		return l.Pool.Const(p.t.typ, 0)
	}
	return l.objects.constantTerm(e, p.t)
}

// readNow reads a variable into a temporary.
func (l *threading) readNow(v value, name string, pos cfa.Pos) value {
	if v.t == nil || v.t.IsConst() || l.Dead() {
		return v
	}
	tmp := l.Temp(name, v.t.Type(), pos)
	l.mem.MarkPointer(tmp, v.class == classPtr)
	l.Assign(tmp, v.t, pos)
	v.t = tmp
	return v
}

// flatten makes sections in sections one, in the draft that begins at start.
func (l *threading) flatten(start cfa.Loc) {
	if !l.concurrent() || l.Err() != nil {
		return
	}
	const unseen = -1
	depth := make([]int, l.Len())
	for i := range depth {
		depth[i] = unseen
	}
	depth[start] = 0
	for work := []cfa.Loc{start}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		loc := l.At(at)
		after := l.depthAfter(at, loc, depth[at])
		for k, s := range loc.Succ {
			d := after
			if _, spawn := loc.Stmt.(cfa.Spawn); spawn && k == 1 {
				d = 0
			}
			switch {
			case s < 0:
			case depth[s] == unseen:
				depth[s] = d
				work = append(work, s)
			case depth[s] != d:
				l.RefuseAt(s, cfa.Unsupported(l.At(s).Pos, "an atomic section that control is in on some ways only", ""))
			}
		}
	}
}

// depthAfter is the depth of sections after a location; what begins or ends an inner one
// goes.
func (l *threading) depthAfter(at cfa.Loc, loc cfa.Location, depth int) int {
	switch s := loc.Stmt.(type) {
	case cfa.Atomic:
		after := max(depth-1, 0)
		if s.Begin {
			after = depth + 1
		}
		if depth+after != 1 {
			l.Replace(at, cfa.Goto{})
		}
		return after
	case cfa.Spawn, cfa.Join, cfa.End:
		if depth > 0 {
			l.RefuseAt(at, cfa.Unsupported(loc.Pos, "creation, joining or the end of a thread in an atomic section", ""))
		}
	}
	return depth
}

// isolate takes statements apart that make several accesses to what threads share, where
// they are in no section.
func (l *threading) isolate(c *cfa.CFA) {
	shared := map[*expr.Expr]bool{}
	for _, v := range c.Shared() {
		shared[v] = true
	}
	in := c.InSection()
	for i := range len(c.Locs) {
		at := cfa.Loc(i)
		read, written := c.Accesses(at)
		n := 0
		for _, v := range append(read, written...) {
			if shared[v] {
				n++
			}
		}
		if n > 1 && !in[i] {
			l.apart(c, at, read, shared)
		}
	}
	c.Vars = l.Vars()
}

// apart reads what a statement shares into temporaries before it.
func (l *threading) apart(c *cfa.CFA, at cfa.Loc, read []*expr.Expr, shared map[*expr.Expr]bool) {
	now := map[*expr.Expr]*expr.Expr{}
	loc := c.Locs[at]
	l.Enter(loc.Frame)
	for _, v := range read {
		if shared[v] {
			tmp := l.Temp(v.Name(), v.Type(), loc.Pos)
			now[v] = tmp
			c.Locs[at].Stmt, c.Locs[at].Succ, c.Locs[at].Decides = cfa.Assign{LHS: tmp,
				RHS: v}, []cfa.Loc{cfa.Loc(len(c.Locs))}, [2]cfa.Decision{}
			c.Locs = append(c.Locs, loc)
			c.Sight.Origin = append(c.Sight.Origin, c.Sight.Origin[at])
			at = cfa.Loc(len(c.Locs) - 1)
		}
	}
	c.Locs[at].Stmt = l.reading(loc.Stmt, now)
}

// reading is a statement that reads other variables.
func (l *threading) reading(s cfa.Stmt, now map[*expr.Expr]*expr.Expr) cfa.Stmt {
	subst := func(t *expr.Expr) *expr.Expr {
		if t == nil {
			return nil
		}
		return l.Pool.Subst(t, now)
	}
	switch s := s.(type) {
	case cfa.Assign:
		s.RHS = subst(s.RHS)
		if s.Memory != nil {
			m := *s.Memory
			m.Addr, m.Length = subst(m.Addr), subst(m.Length)
			s.Memory = &m
		}
		if s.Exact != nil {
			s.Exact = &cfa.Exact{When: subst(s.Exact.When), Value: subst(s.Exact.Value)}
		}
		return s
	case cfa.Branch:
		s.Cond = subst(s.Cond)
		return s
	case cfa.Return:
		s.Value = subst(s.Value)
		return s
	case cfa.Call:
		args := make([]*expr.Expr, len(s.Args))
		for i, a := range s.Args {
			args[i] = subst(a)
		}
		s.Args = args
		s.Named = slices.Clone(s.Named)
		for i, n := range s.Named {
			if n.Value != nil {
				s.Named[i].Value = subst(n.Value)
			}
		}
		return s
	}
	return s
}
