package cegar

// Bodies in the place of abstractions.
//
// Idea: what the body of an abstracted routine writes has any value behind the call, for the
// abstraction says nothing of memory. A proof may rest on that. A counterexample may not,
// since the body writes one value: where a run rests on one, the components are made anew with
// the body in the abstraction's place, and all begins again. So bodies are looked at where
// they matter, and nowhere else.
//
// Source: ours; lazy inlining as in Lal, Qadeer, Lahiri: A Solver for Reachability Modulo
// Theories (CAV 2012), section 4, with a routine's abstraction as its summary. Deviation: all
// calls of the routine are inlined. Cost: the loop once more for each routine at most.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// needsBody reports whether a counterexample could not be decided because it rests on what
// the body of a routine writes, and notes the routine.
func (s *state) needsBody(err error) bool {
	var body *witness.BodyError
	if s.proved || !errors.As(err, &body) || slices.Contains(s.inlined, body.Routine) {
		return false
	}
	s.unseen = body.Routine
	return true
}

// inlineBody makes the components anew, with the body of one routine more inlined.
func (s *loop) inlineBody(ctx context.Context) (Event, result, error) {
	inlined := append(slices.Clone(s.inlined), s.unseen)
	slices.Sort(inlined)
	q, err := s.ask(ctx, s.depth, inlined)
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		why, _ := verdict.Of(err)
		return s.end(verdict.Unknown, why), atEnd, nil
	}
	if err != nil {
		return nil, "", err
	}
	s.askNext(q)
	e := BodyInlined{Routine: s.unseen, Locations: s.sizes()}
	if s.opt.Engine.methods().first() == searchMethod && s.askable() {
		return e, yields, nil
	}
	return e, done, nil
}

// askNext goes on with another question: nothing of the counterexample remains.
func (s *task) askNext(q *question) {
	s.question = q
	s.trace, s.cex, s.paths, s.taken, s.against, s.checked = nil, nil, nil, nil, nil, composition{}
	s.stuck = nil
	s.recall()
}

// sizes are the numbers of locations of the components.
func (s *question) sizes() []int {
	var all []int
	for _, c := range s.comps {
		all = append(all, len(c.CFA.Locs))
	}
	return all
}
