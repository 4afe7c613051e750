package page

import (
	"slices"

	"magus/engine/cegar"
	"magus/evidence/verdict"
)

// What a page shows at most.
const (
	maxPhases = 400   // of one claim: the first and the last ones
	maxRows   = 3000  // of one counterexample: the last ones
	maxBoxes  = 40    // of one drawing
	maxDrawn  = 12    // versions of one drawing
	maxStates = 20000 // of one component that is kept to be drawn
	maxLines  = 20000 // of sources
)

// A History is what the sessions of a check went through, to be shown. It keeps the
// models of each phase that are to be drawn.
type History struct{ claims []*Past }

// A Past is the history of one claim.
type Past struct {
	claim  string
	phases []phase
	left   int // phases that were not kept, behind the first half
}

// A phase is one of the loop, and what was known after it.
type phase struct {
	number  int // from 1
	kind    string
	text    string // what it did
	seconds float64
	view    cegar.View
	added   map[int][]string // predicates that are new, by component
	refuted int              // the component that cannot do the counterexample, -1 for none
	besides int              // how many others cannot do it either
	core    int              // conditions that contradict each other there
	figures []verdict.Figure // in place of the two levels' sizes
	levels  [][2]int         // by component: states of MP and blocks of MA
}

// A counted event tells figures of its own.
type counted interface{ Figures() []verdict.Figure }

// NewHistory is a history of nothing.
func NewHistory() *History { return &History{} }

// Begin begins the history of a claim, which goes on beside those of others.
func (h *History) Begin(claim string) *Past {
	p := &Past{claim: claim}
	h.claims = append(h.claims, p)
	return p
}

// Add adds a phase, what is known after it, and how long it took.
func (p *Past) Add(e cegar.Event, v cegar.View, seconds float64) {
	t := phase{number: 1, kind: e.Phase().String(), text: e.String(), seconds: seconds,
		levels: levelsOf(v), view: light(v),
		refuted: -1}
	if n := len(p.phases); n > 0 {
		t.number = p.phases[n-1].number + 1
	}
	switch e := e.(type) {
	case counted:
		t.figures = e.Figures()
	case cegar.DataRefined:
		t.added = map[int][]string{}
		for _, r := range e.All() {
			t.added[r.Component] = r.Added
		}
	case cegar.ValidatedMP:
		if e.Spurious {
			t.refuted, t.besides = e.Component, len(e.Also)+len(e.Besides)
		}
	case cegar.ValidatedC:
		if e.Spurious {
			t.refuted, t.besides, t.core = e.Component, len(e.Also)+len(e.Besides), e.Core
		}
	}
	p.phases = append(p.phases, t)
	if len(p.phases) > maxPhases { // the newest of the first half makes room
		p.phases = append(p.phases[:maxPhases/2], p.phases[maxPhases/2+1:]...)
		p.left++
	}
}

// levelsOf are the sizes of both levels, by component; of what is not there, 0.
func levelsOf(v cegar.View) [][2]int {
	all := make([][2]int, len(v.Components))
	for i, c := range v.Components {
		if c.MP != nil {
			all[i][0] = c.MP.LTS.NumStates()
		}
		if c.MA != nil {
			all[i][1] = c.MA.NumBlocks()
		}
	}
	return all
}

// light is a view without the models that are too large to be drawn or kept.
func light(v cegar.View) cegar.View {
	for i := range v.Components {
		if c := &v.Components[i]; c.MP != nil && c.MP.LTS.NumStates() > maxStates {
			c.MP, c.MA, c.Path = nil, nil, nil
		}
	}
	return v
}

// of is the history of a claim, or an empty one.
func (h *History) of(claim string) *Past {
	if h != nil {
		for _, p := range h.claims {
			if p.claim == claim {
				return p
			}
		}
	}
	return &Past{claim: claim}
}

// sizes are the figures of a component after a phase.
type sizes struct {
	Name           string
	States, Blocks int
	Predicates     []predicate
}

// predicate is one of those that are chosen.
type predicate struct {
	Text, Origin string
	New          bool
}

// sizesOf are the figures of all components, none where there are no two levels.
func (t *phase) sizesOf() []sizes {
	var all []sizes
	if t.view.Actions == nil {
		return nil
	}
	for i, c := range t.view.Components {
		s := sizes{Name: c.Name, States: t.levels[i][0], Blocks: t.levels[i][1]}
		for _, k := range c.Chosen {
			p := c.Candidates[k]
			s.Predicates = append(s.Predicates, predicate{p.Text, p.Origin, contains(t.added[i], p)})
		}
		all = append(all, s)
	}
	return all
}

// contains reports whether a predicate is one of those that were added.
func contains(added []string, p verdict.Predicate) bool {
	return slices.ContainsFunc(added, func(a string) bool { return a == p.Text || slices.Contains(p.Conditions, a) })
}
