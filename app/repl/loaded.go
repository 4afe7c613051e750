package repl

// What is loaded, and the session about it.

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"magus"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
	"magus/specs"
)

// A question is what was loaded, and the claim of it that the session is about. It is replaced as a
// whole, but for the names of the files, which change with the folder that they are relative to.
type question struct {
	files       []string
	definitions string // typed in
	project     *magus.Project
	claims      []*magus.Claim
	claim       int          // the current one
	assumed     []assumption // by hand, of the current claim
	unspecified bool         // what is loaded has no specification: there is nothing to check
}

// of is the question about another claim, with other assumptions.
func (q question) of(claim int, assumed []assumption) question {
	q.claim, q.assumed = claim, assumed
	return q
}

// loaded is the question and the session about it, with what ends where another session begins.
type loaded struct {
	question
	engine  Engine
	session *cegar.Session // nil before something is loaded
	threads threadSearch   // of a claim about a program with threads
	walk    *walk          // of simulate; nil if there is none
	spent   float64        // on the present claim, in seconds
}

// close frees the session.
func (sh *loaded) close() {
	if sh.session != nil {
		sh.session.Close()
	}
	sh.threads.end()
	sh.session, sh.threads, sh.walk, sh.spent = nil, threadSearch{}, nil, 0
}

// view is the session's view; an error if there is no session.
func (sh *loaded) view() (cegar.View, error) {
	if sh.session == nil {
		return cegar.View{}, errNothing
	}
	return sh.session.View(), nil
}

// componentNamed is the number of the component of that name or number.
func (sh *loaded) componentNamed(name string) (int, error) {
	names := sh.componentNames()
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	return 0, fmt.Errorf("no component %s%s", name, phrase.Instead(name, names))
}

// componentNames are those of the present claim.
func (sh *loaded) componentNames() []string {
	if sh.session == nil {
		return nil
	}
	if name, ok := sh.joint(); ok {
		return []string{name}
	}
	return sh.claims[sh.claim].Procedures
}

// actionNames are the actions of the present claim and its components, sorted.
func (sh *loaded) actionNames() (names []string) {
	if sh.session == nil {
		return nil
	}
	v := sh.session.View()
	names = v.Actions.Names(v.Spec.Alphabet())
	for _, c := range v.Components {
		names = append(names, v.Actions.Names(c.Graph.Alphabet())...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// joint is the name of the components together, if they are looked at as one.
func (sh *loaded) joint() (name string, ok bool) {
	if sh.session == nil {
		return "", false
	}
	v := sh.session.View()
	if len(v.Components) != 1 || v.Components[0].CFA.Joint == nil {
		return "", false
	}
	return v.Components[0].Name, true
}

// needMP is an error if a component has no MP yet.
func (sh *loaded) needMP(comp cegar.ComponentView) error {
	if comp.MP == nil {
		return sh.notBuilt("MP of " + comp.Name)
	}
	return nil
}

// needMA is an error if a component has no MA.
func (sh *loaded) needMA(comp cegar.ComponentView) error {
	switch {
	case sh.session.View().Levels == 1:
		return ErrOneLevel
	case comp.MA == nil:
		return sh.notBuilt("MA of " + comp.Name)
	}
	return nil
}

// stateOf reads a state of MP.
func (sh *loaded) stateOf(comp cegar.ComponentView, text string) (lts.State, error) {
	if err := sh.needMP(comp); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= comp.MP.LTS.NumStates() {
		return 0, fmt.Errorf("no state %s; MP of %s has 0 to %d", text, comp.Name, comp.MP.LTS.NumStates()-1)
	}
	return lts.State(n), nil
}

// product is the composition of the abstractions.
func (sh *loaded) product(ctx context.Context) (*lts.LTS, error) {
	v, err := sh.view()
	if err != nil {
		return nil, err
	}
	ms, err := implementations(v)
	if err != nil {
		return nil, err
	}
	var copies []int
	for _, comp := range v.Components {
		if comp.Copies == specs.AnyNumber {
			return nil, fmt.Errorf("any number of copies of %s run, so the product has no end; "+
				"ma %s shows what each may do, stats how the copies were counted", comp.Name, comp.Name)
		}
		copies = append(copies, comp.Copies)
	}
	if slices.Max(copies) > 1 {
		ms = lts.Copy(ms, copies, v.Spec).Impl
	}
	return lts.Compose(ctx, ms, lts.Limits{MaxStates: maxProduct})
}

// definition is an LTS by its name: the specification without one, that of a
// claim by its number, or a definition of the files.
func (sh *loaded) definition(ctx context.Context, name string) (*lts.LTS, error) {
	if name == "" {
		return sh.session.View().Spec, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(sh.claims) {
		if name = sh.claims[n-1].Specification; name == "" || n-1 == sh.claim {
			return sh.session.View().Spec, nil
		}
	}
	if all := sh.project.Definitions(); !slices.Contains(all, name) {
		return nil, fmt.Errorf("no definition %s; there are %s", name, phrase.Few(all, 20))
	}
	return sh.project.Definition(ctx, name, lts.NewActions())
}
