package lower

// What routines write by their specification, and whether a body writes no more.
//
// Idea: where a routine without a body says what it assigns, a call of it writes that and nothing else:
// behind the call each of these places gets any value. What a body writes is asked of the analysis of memory
// once the code is known; behind a statement that certainly writes something else stands an action that no
// specification allows, and one that may do so is not modelled.
//
// Source: see [memory.Frame]. Cost: linear in what is assigned.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A Frame is what a procedure is claimed to write.
type Frame struct{ Paths []string }

// framed is the claim about the component's procedure.
type framed struct {
	memory.Frame
	from, to cfa.Loc
}

// isFramed reports whether a routine without a body says what it writes.
func (l *calls) isFramed(c *callSite) bool {
	if l.opt.Assigns == nil || c.body != nil {
		return false
	}
	_, told := l.opt.Assigns(c.name)
	return told
}

// writesOnly says what a routine writes.
func (l *facts) writesOnly(name string) string {
	paths, _ := l.opt.Assigns(name)
	if len(paths) == 0 {
		return "it writes nothing"
	}
	return "it writes nothing but " + strings.Join(paths, ", ")
}

// written are the places that a call writes, as they are before it; told is false where that is not said.
func (l *calls) written(c *callSite, vals []value) (places []lvalue, told bool) {
	if !l.isFramed(c) || l.Dead() {
		return nil, false
	}
	paths, _ := l.opt.Assigns(c.name)
	at := *c
	at.vals = vals
	s := &observedScope{observing: l.observing, c: &at, declared: true, globals: true}
	for _, path := range paths {
		if path == "errno" {
			if o := l.objects.errnoObject(); o != nil {
				places = append(places, lvalue{v: l.objects.object(o), typ: o.Type, t: l.ctypeOf(o.Type)})
			}
			continue
		}
		p, err := s.place(path)
		if err != nil {
			l.refuseAt(c.pos, "what "+c.name+" assigns", err.Error())
			return nil, true
		}
		if p.v == nil && p.Base != nil && !p.Base.IsConst() { // the call may change the pointer
			tmp := l.Temp("place", p.Base.Type(), c.pos)
			l.mem.MarkPointer(tmp, true)
			l.Assign(tmp, p.Base, c.pos)
			p.Base = tmp
		}
		places = append(places, p)
	}
	return places, true
}

// writes gives any value to places, but behind a null pointer.
func (l *calls) writes(c *callSite, places []lvalue) {
	for _, p := range places {
		var none cfa.Ends
		if p.v == nil && p.Base != nil {
			var some cfa.Ends
			none, some = l.Branch(l.Pool.Eq(p.Base, l.Pool.Const(p.Base.Type(), 0)), c.pos)
			l.Continue(some)
		}
		l.havoc(c, p, 0)
		l.Join(none)
	}
}

// maxHavoc is how many elements of an array get any value one by one.
const maxHavoc = 64

// havoc gives any value to a place, scalar by scalar where there are pointers in it.
func (l *calls) havoc(c *callSite, p lvalue, depth int) {
	switch a, isArray := p.typ.(*cc.ArrayType); {
	case l.Dead():
	case p.t.class == classExtended:
		v := l.Any(p.t.typ, c.name, "the long double that "+c.name+" assigns", c.pos)
		l.accesses.write(p, value{p.t, v, nil}, c.n, c.pos)
	case p.t.scalar():
		v := l.Any(p.t.typ, c.name, "", c.pos)
		l.mem.MarkPointer(v, p.t.class == classPtr)
		l.accesses.write(p, value{p.t, v, nil}, c.n, c.pos)
	case p.t.class == classOpaque:
		l.accesses.write(p, value{p.t, nil, nil}, c.n, c.pos)
	case p.t.class != classAggregate || l.bytes(p.typ) < 0:
		l.refuseAt(c.pos, "what "+c.name+" assigns", fmt.Sprintf("it is of type %s", source.Describe(p.typ)))
	case !l.typeOf(p.typ).HoldsPointer():
		l.Emit(memory.Fill{To: l.accesses.ref(p), Size: l.bytes(p.typ), Nondet: c.name}, c.pos)
	case isArray && l.prog.Layouts.Len(a) <= maxHavoc:
		size := l.bytes(a.Elem())
		for i := range max(0, l.prog.Layouts.Len(a)) {
			e := l.typed(p, a.Elem())
			e.Off += i * size
			l.havoc(c, e, depth+1)
		}
	case p.typ.Kind() == cc.Struct:
		for _, f := range source.Members(p.typ) {
			at, known := l.prog.Layouts.Member(p.typ, f)
			if !known || f.IsBitfield() {
				l.refuseAt(c.pos, "what "+c.name+" assigns", "name the members of "+source.Describe(p.typ))
				return
			}
			m := l.typed(p, f.Type())
			m.Off += at / 8
			l.havoc(c, m, depth+1)
		}
	default:
		l.refuseAt(c.pos, "what "+c.name+" assigns", "name the parts of "+source.Describe(p.typ))
	}
}

// beginFrame notes, where the component's procedure begins, what it is claimed to write.
func (l *lowerer) beginFrame(pr *source.Procedure, params []*expr.Expr) {
	if l.opt.Frame == nil {
		return
	}
	f := &l.framed
	f.from, f.Variables = cfa.Loc(l.Len()), map[*expr.Expr]bool{}
	s := &observedScope{observing: l.observing, c: &callSite{typ: pr.Type, pos: pr.Pos}, declared: true, globals: true}
	for i, v := range params {
		s.c.vals = append(s.c.vals, value{l.ctypeOf(source.Parameters(pr.Type)[i].Type()), v, nil})
	}
	for _, path := range l.opt.Frame.Paths {
		f.Errno = f.Errno || path == "errno"
		if path == "errno" && l.objects.errnoObject() == nil {
			continue
		}
		if i := strings.LastIndex(path, "->"); i > 0 && strings.ContainsAny(path[:i], ">*[") || strings.Count(path, "*") > 1 {
			l.refuseAt(pr.Pos, "a claim that "+pr.Name+" assigns "+path, "it is more than one pointer away")
			return
		}
		p, err := s.place(path)
		if err != nil {
			l.refuseAt(pr.Pos, "a claim that "+pr.Name+" assigns "+path, err.Error())
			return
		}
		if p.v != nil {
			f.Variables[p.v] = true
			continue
		}
		b, off := l.mem.ObjectOf(p.Base)
		if b == nil {
			b, off = l.mem.Own(p.Base), 0
		}
		if b != nil { // else it is not known where it writes
			from := off + p.Off
			f.Areas = append(f.Areas, memory.FrameArea{Object: b, From: from, To: from + l.bytes(p.typ)})
		}
	}
}

// frames refuses to write a variable that is not modelled and existed before the component began.
func (l *lowerer) frames(d *cc.Declarator, n cc.Node) {
	if l.opt.Frame == nil || d == nil || l.Dead() {
		return
	}
	if o := l.objects.static(d); o != nil && !slices.Contains(l.opt.Frame.Paths, o.Name) {
		l.refuse(n, "an assignment to "+o.Name+", which is not among what is assigned", "")
	}
}

// checkFrame finds what the component writes outside of what it is claimed to.
func (l *lowerer) checkFrame(a *memory.Analysis, start cfa.Loc) {
	if l.opt.Frame == nil {
		return
	}
	internal := map[*expr.Expr]bool{}
	for o, g := range l.objects.globals {
		if o.Library && o.Name != "errno" && g.Var != nil {
			internal[g.Var] = true
		}
		if o.Name == "errno" && l.framed.Errno && g.Var != nil {
			l.framed.Variables[g.Var] = true
		}
	}
	for _, v := range l.library.states {
		internal[v] = true
	}
	l.framed.Internal = func(v *expr.Expr) bool { return internal[v] }
	l.framed.InternalObject = func(b *memory.Object) bool {
		o := l.objects.owners[b]
		return o != nil && o.Library && o.Name != "errno"
	}
	for _, w := range a.WrittenOutside(start, l.framed.from, l.framed.to, l.framed.Frame) {
		if w.Sure {
			l.After(w.At, cfa.Act{Action: cfa.WritesPrefix + w.What + "}"})
			continue
		}
		at := l.At(w.At)
		l.RefuseAt(w.At, &cfa.UnsupportedError{Pos: at.Pos, What: "what may write " + w.What,
			Hint: "it is not among what is assigned"})
	}
}
