package memory

// Which functions of the program a routine without a body may call.
//
// Idea: those whose address it can reach from what it is given, as a number too, and those that
// earlier ones could. The analysis of pointers has no order of time, but nobody can have an
// address before a statement on the way has it in a term: a component that ends by choosing
// the function that its caller shall call gives it to nobody. Of bodies that are written out of line no order is known:
// there each may be called that some routine is given. A function that nothing calls beside the call is refused.
//
// Cost: two forward analyses with a bit for each object.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// anyTime stands for the location of what is known from the start, or at no certain time.
const anyTime cfa.Loc = -1

// findFunctions notes the functions with a body whose addresses are in a term.
func (p *pointers) findFunctions(t *expr.Expr) {
	var all []*Object
	if b, _ := p.a.ObjectOf(t); b != nil && b.hasBody {
		all = append(all, b)
	}
	for _, u := range t.Args() {
		all = append(all, p.functions[u]...)
	}
	if len(all) > 0 {
		p.functions[t] = all
	}
}

// take notes that the statement that is entered has the addresses of functions.
func (p *pointers) take(functions ...*Object) {
	for _, b := range functions {
		if !slices.Contains(p.taken[p.now], b) {
			p.taken[p.now] = append(p.taken[p.now], b)
		}
	}
}

// tellWorld gives code that nobody described the address of an object.
func (p *pointers) tellWorld(b *Object) {
	p.g.AddressOf(pointsto.World, p.ids[b.number], 0)
	if b.hasBody {
		p.take(b)
	}
}

// functionsTaken gives for each location the functions with a body whose addresses its
// statement has, or one on a way to it, or nobody knows when; nil where control does not come.
func (a *escapes) functionsTaken(start cfa.Loc) []objectSet {
	set := func(at cfa.Loc) objectSet {
		if len(a.pts.taken[at]) == 0 {
			return nil
		}
		s := a.newSet()
		for _, b := range a.pts.taken[at] {
			s.add(b.number)
		}
		return s
	}
	at := make([]objectSet, a.code.Len())
	for i := range at {
		at[i] = set(cfa.Loc(i))
	}
	first := set(anyTime)
	if first == nil {
		first = a.newSet()
	}
	taken := a.before(start, first, at)
	for i := range taken {
		if taken[i] != nil && at[i] != nil {
			taken[i].join(at[i])
		}
	}
	return taken
}

// A Callback is a function with a body that the call at a site may call.
type Callback struct {
	Site     string
	Function *Object
	Given    bool // the call is given it itself
}

// Callbacks are the functions that routines without a body may call, in the order of the
// calls and of the functions.
func (a *Analysis) Callbacks(start cfa.Loc) []Callback { return a.effects.callbacks(start) }

// callbacks are the functions that routines without a body may call, in the order of the
// calls and of the functions.
func (a *escapes) callbacks(start cfa.Loc) []Callback {
	if a.pts == nil || !a.hasBodies() {
		return nil
	}
	given := a.functionsGiven(start)
	anywhere := a.newSet()
	for _, set := range given {
		if set != nil {
			anywhere.join(set)
		}
	}
	before, taken := a.before(start, a.newSet(), given), a.functionsTaken(start)
	var all []Callback
	for i, loc := range a.code.Since(0) {
		s, ok := loc.Stmt.(UnknownCall)
		now, has := before[i], taken[i]
		if a.code.IsOutOfLine(cfa.Loc(i)) { // called at any time
			now, has = anywhere, anywhere
		}
		if !ok || s.Site == "" || now == nil {
			continue
		}
		for _, b := range a.objects {
			if is := given[i].has(b.number); b.hasBody && has.has(b.number) && (is || now.has(b.number)) {
				all = append(all, Callback{s.Site, b, is})
			}
		}
	}
	return all
}

// hasBodies reports whether the address of a function with a body is used.
func (a *escapes) hasBodies() bool {
	for _, b := range a.objects {
		if b.hasBody {
			return true
		}
	}
	return false
}

// functionsGiven gives for each call of a routine without a body, and of a body with such calls, what can be reached
// from what it is given, at any time.
func (a *escapes) functionsGiven(start cfa.Loc) []objectSet {
	given := make([]objectSet, a.code.Len())
	known := a.knownAsNumbers(start)
	var bodies []cfa.Loc
	for i, loc := range a.code.Since(0) {
		at := cfa.Loc(i)
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if a.bodies[at] != nil {
				bodies = append(bodies, at)
				continue
			}
		case UnknownCall:
			if s.Leaf || len(s.Args)+len(s.Called)+len(s.Passed) == 0 && !s.Numbers && !s.All {
				continue
			}
		default:
			continue
		}
		given[i] = a.pts.reach(a.pts.held[at], nil)
		if s, ok := loc.Stmt.(UnknownCall); ok && s.All {
			nodes, objects := a.static()
			given[i].join(a.pts.reach(nodes, objects))
		}
		if known[i] != nil && a.givesNumbers(at) {
			given[i].join(known[i])
		} else if a.code.IsOutOfLine(at) && a.givesNumbers(at) {
			given[i].join(a.pts.reach([]pointsto.Node{a.pts.exposed}, nil))
		}
	}
	a.givenWithin(bodies, given)
	return given
}

// givenWithin adds to calls of bodies what is given to routines without a body in them.
func (a *escapes) givenWithin(calls []cfa.Loc, given []objectSet) {
	known := map[*Body]objectSet{}
	for _, at := range calls {
		b := a.bodies[at]
		if _, done := known[b]; !done {
			set := a.newSet()
			for _, within := range a.closure(b) {
				if a.bodies[within] == nil && given[within] != nil {
					set.join(given[within])
				}
			}
			known[b] = set
		}
		given[at] = known[b]
	}
}

// refuseCallbacks refuses calls that give the address of a function with a body to a routine that
// may call it, where nothing calls it beside that.
func (a *escapes) refuseCallbacks(start cfa.Loc) {
	if a.pts == nil || a.opt.OutsideUnknown || !a.hasBodies() {
		return
	}
	taken := a.functionsTaken(start)
	for i, set := range a.functionsGiven(start) {
		at := cfa.Loc(i)
		s, ok := a.code.At(at).Stmt.(UnknownCall)
		if !ok || set == nil {
			continue
		}
		if taken[i] != nil {
			set.meet(taken[i])
		}
		for _, b := range s.Calls {
			set.remove(b.number)
		}
		for _, b := range a.objects {
			if b.hasBody && set.has(b.number) {
				a.code.RefuseAt(at, &cfa.UnsupportedError{Pos: a.code.At(at).Pos, What: "function pointer " +
					b.decl.Name + " given to a routine without a body, " + s.Name,
					Hint: "the routine may call it: give a body or an abstraction of the routine"})
				break
			}
		}
	}
}
