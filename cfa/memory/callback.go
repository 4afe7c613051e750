package memory

// Which functions of the program a routine without a body may call.
//
// Idea: those whose address it can reach from what it is given, as a number too, and those that
// earlier ones could. A function that nothing calls beside the call is refused.
//
// Cost: one forward analysis with a bit for each object.

import (
	"magus/cfa"
)

// A Callback is a function with a body that the call at a site may call.
type Callback struct {
	Site     string
	Function *Object
	Given    bool // the call is given it itself
}

// Callbacks are the functions that routines without a body may call, in the order of the
// calls and of the functions.
func (a *Analysis) Callbacks(start cfa.Loc) []Callback {
	if a.pts == nil || !a.hasBodies() {
		return nil
	}
	given := a.functionsGiven(start)
	before := a.before(start, a.newSet(), given)
	var all []Callback
	for i, loc := range a.code.Since(0) {
		s, ok := loc.Stmt.(UnknownCall)
		if !ok || s.Site == "" || before[i] == nil {
			continue
		}
		for _, b := range a.objects {
			if is := given[i].has(b.number); b.hasBody && (is || before[i].has(b.number)) {
				all = append(all, Callback{s.Site, b, is})
			}
		}
	}
	return all
}

// hasBodies reports whether the address of a function with a body is used.
func (a *Analysis) hasBodies() bool {
	for _, b := range a.objects {
		if b.hasBody {
			return true
		}
	}
	return false
}

// functionsGiven gives for each call of a routine without a body what it can reach from what
// it is given.
func (a *Analysis) functionsGiven(start cfa.Loc) []objectSet {
	given := make([]objectSet, a.code.Len())
	known := a.knownAsNumbers(start)
	for i, loc := range a.code.Since(0) {
		at := cfa.Loc(i)
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if a.bodies[at] != nil {
				continue
			}
		case UnknownCall:
			if s.Leaf || len(s.Args) == 0 && len(s.Passed) == 0 && !s.Numbers && !s.All {
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
		}
	}
	return given
}

// refuseCallbacks refuses calls that give the address of a function with a body to a routine that
// may call it, where nothing calls it beside that.
func (a *Analysis) refuseCallbacks(start cfa.Loc) {
	if a.pts == nil || !a.hasBodies() {
		return
	}
	for i, set := range a.functionsGiven(start) {
		at := cfa.Loc(i)
		s, ok := a.code.At(at).Stmt.(UnknownCall)
		if !ok || set == nil {
			continue
		}
		for _, b := range s.Calls {
			set.remove(b.number)
		}
		for _, b := range a.objects {
			if b.hasBody && set.has(b.number) {
				a.code.RefuseAt(at, &cfa.UnsupportedError{Pos: a.code.At(at).Pos, What: "function pointer " + b.decl.Name + " given to a routine without a body, " + s.Name,
					Hint: "the routine may call it: give a body or an abstraction of the routine"})
				break
			}
		}
	}
}
