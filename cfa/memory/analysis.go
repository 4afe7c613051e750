package memory

import (
	"context"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// An Analysis is what is known of the pointers of a draft: which cells there
// are, and what each access may mean.
type Analysis struct {
	*Model
	pts *pointers // nil where there are variables only

	foreign map[*expr.Expr]bool // variables that are loaded bit by bit
	leaks   map[cfa.Loc]bool    // stores of values that are read bit by bit
	// carried are the leaves that a Copy takes along, each at its offset in what
	// is copied.
	carried  map[cfa.Loc]*layout
	demanded map[cfa.Loc]*demandState // when the statement was looked at last
	atStart  []*expr.Expr             // variables that start with 0
	untold   []*expr.Expr             // see Site
	changes  int                      // of what the analysis of pointers reads
	apart    bool                     // distances of objects are computed
	beyond   bool                     // see AllocatesBeyond
	anyOnes  []*Object                // that calls give out at any time, see anyallocation.go
	again    int                      // objects that calls may give out once more, see reuse.go
	looked   int                      // locations that were looked at for a Finds
	looks    bool                     // one of them is
	carriers *carriers                // nil: nothing is looked for

	// What follows from one run of the analysis of pointers.
	find     *locator
	effects  *effects
	aliasing *aliasing
}

// NewAnalysis is an analysis that has not begun.
func (m *Model) NewAnalysis() *Analysis {
	a := &Analysis{Model: m, foreign: map[*expr.Expr]bool{}, leaks: map[cfa.Loc]bool{},
		carried: map[cfa.Loc]*layout{}, demanded: map[cfa.Loc]*demandState{}}
	a.derive(nil)
	return a
}

// derive makes anew what follows from a run of the analysis of pointers; nil where there are
// variables only.
func (a *Analysis) derive(pts *pointers) {
	a.pts, a.find = pts, newLocator(a.addressSpace, pts, a.apart)
	a.effects = &effects{newEscapes(a.Model, pts), a.find, map[*Body]map[*Object]map[*expr.Expr]bool{}}
	a.aliasing = newAliasing(a.Model, pts, a.find)
}

// Next does one iteration of the analysis and reports whether something has changed since the one
// before. Cells of memory without a type are made by accesses, which are known only when
// pointers are; so pointers are analysed until no access makes another cell. What is found
// to be pointed to in one iteration is found in all later ones: who needs no more than that
// can stop.
func (a *Analysis) Next(ctx context.Context) (bool, error) {
	if !a.Model.used() {
		return false, nil
	}
	if a.pts == nil {
		a.nameGlobals()
		a.ownGlobals()
	} else if apart := a.measuresApart(); !(demands{a}).demand() && !apart && !a.recycles() {
		a.demanded = nil
		return false, a.code.Err()
	}
	p := newPointers(a)
	if err := p.solve(ctx); err != nil {
		return false, err
	}
	a.derive(p)
	return true, nil
}

// Functions are the functions that an address may be of, in the order of their
// objects, and whether it may be that of code that nobody described.
func (a *Analysis) Functions(addr *expr.Expr) (functions []*Object, unknown bool) {
	for _, t := range a.targets(addr) {
		switch b := a.pts.at(t.Object); {
		case b == nil || b.unbounded:
			unknown = true
		case b.function:
			functions = append(functions, b)
		}
	}
	return functions, unknown
}

// targets are what a term may point to.
func (a *Analysis) targets(t *expr.Expr) []pointsto.Target {
	if a.pts == nil {
		return nil
	}
	return a.pts.targets(a.pts.term(t))
}

// wide reports whether an address fits into the type.
func (m *addressing) wide(t expr.Type) bool { return t.Width >= m.pointer.Width }
