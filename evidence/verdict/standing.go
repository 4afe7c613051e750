package verdict

// Who waits for whom at the end of a run.
//
// Idea: a graph over those that stand still, with an edge to each that somebody waits for. A cycle in it is what
// makes a deadlock of programs that all go on; without one somebody waits for one that has ended, or for what nobody
// will do.
//
// Cost: linear in the edges, depth first.

import (
	"slices"

	"magus/cfa"
)

// A Stand is where a component, or a thread, stands still in a deadlock.
type Stand struct {
	Ended  bool    // it waits for nothing
	Pos    cfa.Pos // not valid where it has returned
	Proc   string
	Offers []Offer // it waits for one of these
	// Object is what a thread waits for, in words: "mutex m", "the end of a thread"; Holders are the threads
	// that have it, or have to do something. nil: nobody is known.
	Object  string
	Holders []int
}

// An Offer is an action that a component waits for, with those that take part in it and do not offer it.
type Offer struct {
	Action  string
	Without []int // components of the run
}

// For are all that it waits for.
func (s *Stand) For() []int {
	all := slices.Clone(s.Holders)
	for _, o := range s.Offers {
		all = append(all, o.Without...)
	}
	return all
}

// Cycle are components of a deadlock that wait for each other: each for the next one, the last for the first.
// nil if there are none, since somebody waits for one that has ended, or for what nobody will do.
func (r *Run) Cycle() []int {
	w := &waiting{r: r, state: make([]int, len(r.Standing))}
	for i := range r.Standing {
		if w.state[i] == 0 {
			if cycle := w.walk(i); cycle != nil {
				return cycle
			}
		}
	}
	return nil
}

type waiting struct {
	r     *Run
	state []int // by component: met, or left
	way   []int
}

// The states of a component in a walk; 0: it has not been met.
const (
	met  = 1
	left = 2
)

// walk goes on from a component, and gives the first cycle that it comes to.
func (w *waiting) walk(i int) []int {
	w.state[i], w.way = met, append(w.way, i)
	for _, j := range w.r.Standing[i].For() {
		if w.state[j] == met {
			return slices.Clone(w.way[slices.Index(w.way, j):])
		}
		if w.state[j] == 0 {
			if cycle := w.walk(j); cycle != nil {
				return cycle
			}
		}
	}
	w.state[i], w.way = left, w.way[:len(w.way)-1]
	return nil
}
