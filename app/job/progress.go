package job

import (
	"time"

	"fmt"
	"strings"

	"magus/engine/cegar"
)

// A Watcher is told what goes on while a claim is checked.
type Watcher interface {
	// BeginClaim is called before the first phase of a claim.
	BeginClaim(name string)
	// BeginPhase is called before a phase, EndPhase with what it did.
	BeginPhase(cegar.Phase)
	EndPhase(cegar.Event)
}

// A Viewer is a watcher that also looks at what is known after each phase, before it is
// told of the next one, and at how long the phase took.
type Viewer interface {
	Watcher
	View(cegar.Event, cegar.View, time.Duration)
}

// A Progress says how far the check of a claim is. It is a watcher; the zero
// value is the beginning.
type Progress struct {
	Claim      string
	Phase      cegar.Phase
	Iteration  int
	States     []int       // of every component's MP
	Predicates map[int]int // chosen, by component
	Proved     bool        // the claim; what is left is to look for smaller sets
	Search     string      // how far a search without iterations is; "" if there is none
}

// A searching event says itself how far its search is.
type searching interface{ Progress() string }

// BeginClaim implements [Watcher].
func (p *Progress) BeginClaim(name string) { *p = Progress{Claim: name, Predicates: map[int]int{}} }

// BeginPhase implements [Watcher].
func (p *Progress) BeginPhase(phase cegar.Phase) { p.Phase = phase }

// EndPhase implements [Watcher].
func (p *Progress) EndPhase(e cegar.Event) {
	switch e := e.(type) {
	case cegar.DataAbstracted:
		p.Iteration, p.States = e.Iteration, e.States
	case cegar.Verified:
		p.Proved = p.Proved || e.Holds
	case cegar.DataRefined:
		for _, r := range e.All() {
			p.Predicates[r.Component] = len(r.Predicates)
		}
	case searching:
		p.Search = e.Progress()
	}
}

// String is one line, without the claim.
func (p *Progress) String() string {
	if p.Search != "" {
		return p.Search
	}
	predicates := 0
	for _, n := range p.Predicates {
		predicates += n
	}
	states := make([]string, len(p.States))
	for i, n := range p.States {
		states[i] = fmt.Sprint(n)
	}
	known := ""
	if p.Proved {
		known = "conforms; for a smaller set: "
	}
	return known + fmt.Sprintf("iteration %d, %s, states %s, predicates %d",
		p.Iteration, p.Phase, strings.Join(states, "+"), predicates)
}
