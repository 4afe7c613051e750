package cegar

// Bodies instead of abstractions.
//
// Idea: what the body of an abstracted routine writes has any value behind the call, for the
// abstraction says nothing of memory. A proof may rest on that. A counterexample may not,
// since the body writes one value: where a run rests on one, the components are made anew with
// the body instead of the abstraction, and all begins again. So bodies are looked at where
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

// inlining is the next body to be looked at.
type inlining struct {
	unseen string // a routine whose body a counterexample rests on; "" if there is none
}

// needsBody is the routine whose body decides a counterexample that could not be decided: it rests on what that
// writes. It is "" if there is none, or its body is looked at already.
func (q *question) needsBody(err error) string {
	var body *witness.BodyError
	if !errors.As(err, &body) || slices.Contains(q.inlined, body.Routine) {
		return ""
	}
	return body.Routine
}

// inlineBody makes the components anew, with the body of one routine more inlined.
func (s *loop) inlineBody(ctx context.Context) (Event, result, error) {
	inlined := append(slices.Clone(s.inlined), s.unseen)
	slices.Sort(inlined)
	q, err := s.ask(ctx, s.lowered(inlined))
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
	if s.opt.Engine.methods().first() != loopMethod && s.askable() {
		return e, yields, nil
	}
	return e, done, nil
}

// lowered is how the question's components are lowered, with other routines inlined.
func (q *question) lowered(inlined []string) modelling {
	low := q.low
	low.Inlined = inlined
	return low
}

// askNext goes on with another question: nothing of the counterexample remains.
func (s *task) askNext(q *question) {
	s.question = q
	s.trace, s.cex, s.paths, s.taken, s.against, s.checked = nil, nil, nil, nil, nil, composition{}
	s.stuck, s.elements = nil, false
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
