package lower

// Assignments to members that a rule watches.
//
// Idea: an lvalue knows the member that it is. Before an assignment to one that the rule speaks of stands the event,
// with the value and the structure's address; a structure that is assigned, or whose bytes memcpy or memset write, is
// that for each such member in it. Any other store of the program, through a pointer to a scalar or by a function of
// the library, is asked for once it is known where pointers lead: where it may write such a member it is not modelled.
//
// LAW: a run that assigns to such a member by code that is looked at comes by its event, or is cut.
//
// Source: ours; SLIC watches calls only. Cost: for each assignment of the program one search for what it may write.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A memberOf is the member that an lvalue is.
type memberOf struct {
	typ   cc.Type // of the structure
	field *cc.Field
	at    int64 // in bits
}

// A watch is what is kept of assignments that a rule may be about.
type watch struct {
	holds    map[cc.Type]bool // a type holds a watched member
	suspects map[cfa.Loc]suspect
	own      map[cfa.Loc]bool // statements within calls that are no assignments
}

// A suspect is a store that may be an assignment to a watched member.
type suspect struct {
	pos cfa.Pos
	// elsewhere says that it is to another member by name.
	elsewhere bool
}

// watchesMembers reports whether a rule speaks of assignments.
func (l *facts) watchesMembers() bool { return l.opt.Observer != nil && l.opt.Observer.Assigned != nil }

// watched is what the rule says of assignments to a member.
func (l *facts) watched(typ cc.Type, f *cc.Field) []Observation {
	if !l.watchesMembers() || f == nil {
		return nil
	}
	return l.opt.Observer.Assigned(source.MemberNames(typ, f))
}

// holdsWatched reports whether a type holds a member that the rule speaks of.
func (l *observing) holdsWatched(t cc.Type) bool {
	if !l.watchesMembers() {
		return false
	}
	holds, known := l.watch.holds[t]
	if known {
		return holds
	}
	if a, isArray := t.(*cc.ArrayType); isArray {
		holds = l.holdsWatched(a.Elem())
	}
	for _, f := range source.Members(t) {
		holds = holds || l.watched(t, f) != nil || l.holdsWatched(f.Type())
	}
	l.watch.holds[t] = holds
	return holds
}

// assigns writes the events of an assignment, and reports whether all that it assigns is told.
func (l *observing) assigns(p lvalue, v value, n cc.Node, pos cfa.Pos) (told bool) {
	if !l.watchesMembers() || l.Dead() || l.fr.isOutOfLine() || l.prog.IsModel(l.fr.proc.File) {
		return false
	}
	if p.of != nil {
		if events := l.watched(p.of.typ, p.of.field); events != nil {
			l.assignsMember(events, p, v, n, pos)
			return true
		}
	}
	if p.t.class != classAggregate || !l.holdsWatched(p.typ) {
		return false
	}
	l.assignsParts(p, v.at, func(q lvalue, from *lvalue) value {
		if from == nil {
			return value{ctype: q.t}
		}
		return l.accesses.read(*from, n)
	}, n, pos)
	return true
}

// assignsMember writes the events of an assignment to a member.
func (l *observing) assignsMember(events []Observation, p lvalue, v value, n cc.Node, pos cfa.Pos) {
	if p.typ.Kind() != p.of.field.Type().Kind() || l.bytes(p.typ) != l.bytes(p.of.field.Type()) {
		l.refuse(n, "an assignment to a part of the member "+p.of.field.Name()+", which the rule "+l.opt.Observer.Rule+
			" watches", "")
		return
	}
	if p.t.scalar() {
		v = l.expressions.convert(v, p.t, n)
	}
	s := &observedScope{observing: l, result: v, assigned: &assignedTo{n, p, l.structureOf(p)}}
	for _, e := range events {
		l.observe(e, s, pos)
	}
}

// structureOf is the structure that a member is of.
func (l *observing) structureOf(p lvalue) lvalue {
	typ := p.of.typ
	p.Off -= p.of.at / 8
	p.bits, p.field, p.of = 0, nil, nil
	return l.typed(p, typ)
}

// assignsParts writes the events of an assignment to all of something: of each watched member in it. The value of a
// part is asked for with the part that it comes from, which is nil where that is not known.
func (l *observing) assignsParts(p lvalue, from *lvalue, valueOf func(part lvalue, from *lvalue) value, n cc.Node,
	pos cfa.Pos) {
	if l.Dead() || !l.holdsWatched(p.typ) {
		return
	}
	if a, isArray := p.typ.(*cc.ArrayType); isArray {
		length := l.prog.Layouts.Len(a)
		if length < 0 || length > maxHavoc {
			l.refuse(n, "an assignment to many members that the rule "+l.opt.Observer.Rule+" watches", "")
		}
		for i := range max(length, 0) {
			part, origin := l.elementOf(p, a, i), from
			if from != nil {
				origin = ptr(l.elementOf(*from, a, i))
			}
			l.assignsParts(part, origin, valueOf, n, pos)
		}
		return
	}
	if p.typ.Kind() == cc.Union {
		l.refuse(n, "an assignment to a union with a member that the rule "+l.opt.Observer.Rule+" watches", "")
		return
	}
	for _, f := range source.Members(p.typ) {
		events := l.watched(p.typ, f)
		if events == nil && !l.holdsWatched(f.Type()) {
			continue
		}
		part, origin := l.memberOf(p, f), from
		if from != nil {
			origin = ptr(l.memberOf(*from, f))
		}
		if events != nil {
			l.assignsMember(events, part, valueOf(part, origin), n, pos)
		}
		l.assignsParts(part, origin, valueOf, n, pos)
	}
}

func ptr(p lvalue) *lvalue { return &p }

// elementOf is an element of an array.
func (l *observing) elementOf(p lvalue, a *cc.ArrayType, i int64) lvalue {
	p = l.typed(p, a.Elem())
	p.Off += i * l.bytes(a.Elem())
	return p
}

// memberOf is a member of a structure.
func (l *observing) memberOf(p lvalue, f *cc.Field) lvalue {
	at := l.prog.Layouts.Offset(f)
	of := &memberOf{p.typ, f, at}
	p.Off += at / 8
	if f.IsBitfield() {
		p.typ, p.t, p.bits, p.dim, p.field, p.of = f.Type(), l.bitField(f), at%8, 0, f, of
		return p
	}
	p = l.typed(p, f.Type())
	p.of = of
	return p
}

// writesBytes writes the events of a call that writes so many bytes, each the one given or those of other memory,
// and reports whether all that it assigns is told.
func (l *observing) writesBytes(c *callSite, to value, size int64, fill, from *expr.Expr) (told bool) {
	if !l.watchesMembers() || size <= 0 || l.Dead() || l.fr.isOutOfLine() || len(c.args) == 0 {
		return false
	}
	t := source.PointeeUncast(c.args[0])
	if t == nil || !l.holdsWatched(t) || l.bytes(t) <= 0 || size%l.bytes(t) != 0 || size/l.bytes(t) > maxHavoc {
		return false
	}
	at := func(base *expr.Expr, i int64) lvalue {
		return l.typed(lvalue{Address: memory.Address{Base: base, Off: i * l.bytes(t), Pointee: l.typeOf(t)}}, t)
	}
	for i := range size / l.bytes(t) {
		var origin *lvalue
		if from != nil && len(c.args) > 1 && sameMembers(source.PointeeUncast(c.args[1]), t) {
			origin = ptr(at(from, i))
		}
		l.assignsParts(at(to.t, i), origin, func(q lvalue, from *lvalue) value {
			switch {
			case from != nil:
				return l.accesses.read(*from, c.n)
			case !q.t.scalar():
				return value{ctype: q.t}
			case fill != nil && q.field == nil:
				return value{q.t, l.repeated(fill, q.t.typ), nil}
			}
			return value{q.t, l.Any(q.t.typ, c.name, "what "+c.name+" copies", c.pos), nil}
		}, c.n, c.pos)
	}
	return true
}

// sameMembers reports whether two types are one structure, whatever their qualifiers.
func sameMembers(t, u cc.Type) bool {
	return t != nil && t.Kind() == cc.Struct && u.Kind() == cc.Struct && slices.Equal(source.Members(t), source.Members(u))
}

// repeated is a value whose bytes are all the same.
func (l *observing) repeated(b *expr.Expr, t expr.Type) *expr.Expr {
	wide := expr.Type{Width: t.Width}
	one := l.Pool.Cast(wide, l.Pool.Cast(expr.Uint8, b))
	all := one
	for at := 8; at < int(t.Width); at += 8 {
		all = l.Pool.Or(l.Pool.Mul(all, l.Pool.Const(wide, 256)), one)
	}
	return l.Pool.Cast(t, all)
}

// wrote notes the stores from a location on as ones that may assign to watched members, unless that is told.
func (l *observing) wrote(from cfa.Loc, p *lvalue, told bool, pos cfa.Pos) {
	if !l.watchesMembers() {
		return
	}
	for fr := l.fr; fr.parent != nil && l.prog.IsModel(fr.proc.File); fr = fr.parent {
		if fr.site != nil {
			pos = source.Position(fr.site.Position())
		}
	}
	frame := l.Builder.Frame()
	for i, loc := range l.Since(from) {
		at := from + cfa.Loc(i)
		switch loc.Stmt.(type) {
		case memory.Store, memory.Copy, memory.Fill, cfa.Assign:
		default:
			continue
		}
		_, known := l.watch.suspects[at]
		if told {
			l.watch.own[at] = true
		} else if !l.watch.own[at] && !known && (p != nil || loc.Frame == frame) {
			l.watch.suspects[at] = suspect{pos, p != nil && p.of != nil && l.watched(p.of.typ, p.of.field) == nil}
		}
	}
}

// checkAssigned refuses stores that may assign to a watched member and are no events.
func (l *observing) checkAssigned(a *memory.Analysis) {
	if len(l.watch.suspects) == 0 {
		return
	}
	asked := map[cfa.Loc]bool{}
	for at, s := range l.watch.suspects {
		asked[at] = s.elsewhere
	}
	for _, w := range a.WritesWatched(asked) {
		pos := l.watch.suspects[w.At].pos
		if !pos.IsValid() {
			pos = l.At(w.At).Pos
		}
		l.RefuseAt(w.At, &cfa.UnsupportedError{Pos: pos, What: "what may assign to a member that the rule " +
			l.opt.Observer.Rule + " watches (" + w.What + ")", Hint: "assign by the member's name"})
	}
}

// An assignedTo is what is assigned to: a member of a structure.
type assignedTo struct {
	n                 cc.Node
	member, structure lvalue
}

// arg is the value $0, or the structure's address $1.
func (s *observedScope) assignedArg(i int) (value, cc.Type, error) {
	if i == 0 {
		return s.result, s.assigned.member.typ, nil
	}
	at := value{ctype{class: classPtr, typ: s.pointer}, s.accesses.address(s.assigned.structure), nil}
	return at, s.assigned.structure.typ.Pointer(), nil
}

// tellsAssigned tells what is taken as granted of assignments.
func (l *observing) tellsAssigned(pos cfa.Pos) {
	if l.watchesMembers() {
		l.Assume(cfa.AboutRoutine, pos, "code without a body assigns to no member that the rule %s watches, and neither do "+
			"single bytes that are stored to memory that is not modelled", l.opt.Observer.Rule)
	}
}

// newWatch is a watch that has seen nothing.
func newWatch() watch {
	return watch{map[cc.Type]bool{}, map[cfa.Loc]suspect{}, map[cfa.Loc]bool{}}
}

// quietly writes statements that are no assignments of the program's.
func (l *observing) quietly(do func()) {
	from := cfa.Loc(l.Len())
	do()
	if l.watchesMembers() {
		for at := from; int(at) < l.Len(); at++ {
			l.watch.own[at] = true
		}
	}
}
