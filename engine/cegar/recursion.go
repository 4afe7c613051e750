package cegar

// Recursion, followed to a depth that grows.
//
// Idea: the components are lowered with recursive calls inlined to some depth, at first
// none. A call beyond it is a cut, an action of its own (package lower). A counterexample
// without one is real, whatever the depth, and is looked for first; a proof also has to
// show that no component performs one. If a component can, then recursion goes deeper,
// and all begins again with a greater depth.
//
// The next depth is the largest, at most twice the last, for which the automata are
// expected to grow no more than fourfold: linear recursion is soon followed far, and
// a procedure that calls itself several times one or two calls deeper each time.
//
// Source: under- and overapproximation side by side as in Lal, Qadeer, Lahiri: A Solver
// for Reachability Modulo Theories (CAV 2012), section 4. Deviation: all calls of a depth
// are followed at once, not those that one counterexample takes. Cost: the loop once for
// each depth.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"magus/cfa"
	"magus/evidence/verdict"
)

// Bounds of recursion that is followed without an end: locations of all automata
// together, and the depth.
const (
	maxRecursive = 30_000
	maxDepth     = 2_000
)

// An extent says how deep recursion was followed, and how many locations that has
// taken.
type extent struct{ depth, locations int }

// extent is that of a question.
func (q *question) extent() extent { return extent{q.depth, q.locations} }

// recursion is what is known of the calls that are not followed.
type recursion struct {
	before   extent         // of the question before, in which recursion was followed less deep
	uncalled *recursiveCall // the last one that was met; nil if there was none
}

// A recursiveCall was not followed.
type recursiveCall struct {
	pos   cfa.Pos
	cycle string
}

// cutOff notes where a component, which can take its path, comes to a cut.
func (s *loop) cutOff() (Event, result, error) {
	if s.proved {
		why := verdict.Reason{Kind: verdict.Fault,
			Text: "the claim was proved, and then recursion went deeper than was followed, which is a fault of this tool"}
		return s.end(verdict.Unknown, why), atEnd, nil
	}
	for k, t := range s.taken {
		c := s.comps[s.cex.copies[k].Component]
		for _, id := range t.feasible.Run.Edges {
			e := &c.program().Edges[id]
			if !s.system.IsCut(e.Action) {
				continue
			}
			if i := slices.IndexFunc(c.CFA.Refused, func(r cfa.Refused) bool { return r.At == e.Loc }); i >= 0 {
				why, _ := verdict.Of(c.CFA.Refused[i].Why)
				return s.end(verdict.Unknown, why), atEnd, nil
			}
			s.uncalled = &recursiveCall{c.CFA.Locs[e.Loc].Pos, c.CFA.CycleAt(e.Loc)}
			s.refine, s.lacking = []int{s.cex.copies[k].Component}, []int{k}
		}
	}
	if s.opt.Recursion > 0 {
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.Recursion, Place: s.uncalled.pos,
			Text: fmt.Sprintf("recursion goes deeper than is followed (--recursion %d): %s", s.depth,
				s.uncalled.advice())}), atEnd, nil
	}
	return ValidatedC{Component: s.first(), Copy: s.cex.copies[s.lacking[0]].Number, Cut: true}, tooDeep, nil
}

func (r *recursiveCall) advice() string {
	return r.cycle + "; give one of these procedures an abstraction"
}

// followRecursion makes the components anew, with recursion followed deeper.
func (s *loop) followRecursion(ctx context.Context) (Event, result, error) {
	if s.locations > maxRecursive || s.depth > maxDepth {
		why := s.followed(s.depth, verdict.Reason{Kind: verdict.Recursion,
			Text: fmt.Sprintf("not decided with %d control locations", s.locations)})
		return s.end(verdict.Unknown, why), atEnd, nil
	}
	q, err := s.ask(ctx, s.opt.modelling(s.recursion.next(s.extent()), s.inlined))
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		why, _ := verdict.Of(err)
		return s.end(verdict.Unknown, s.followed(s.depth, why)), atEnd, nil
	}
	if err != nil {
		return nil, "", err
	}
	s.before = s.extent()
	s.askNext(q)
	e := RecursionFollowed{Depth: s.depth, Cycle: s.uncalled.cycle, Locations: s.sizes()}
	if s.opt.Engine.methods().first() != loopMethod && s.askable() {
		return e, yields, nil
	}
	return e, done, nil
}

// next is the depth to be tried after that of a question.
func (r recursion) next(now extent) int {
	if now.depth == 0 {
		return 1
	}
	ratio := max(1, float64(now.locations)/float64(max(r.before.locations, 1)))
	level := math.Pow(ratio, 1/float64(now.depth-r.before.depth)) // growth with each call more
	next := now.depth + 1
	for growth := level * level; next < 2*now.depth && growth <= 4; growth *= level {
		next++
	}
	return next
}

// followed adds to the reason of an unknown verdict that recursion was followed to a depth, and what can be done
// about it.
func (r recursion) followed(depth int, why verdict.Reason) verdict.Reason {
	if r.uncalled == nil {
		return why
	}
	if !why.Place.IsValid() {
		why.Place = r.uncalled.pos
	}
	why.Text += fmt.Sprintf(" (recursion was followed to depth %d: %s)", depth, r.uncalled.advice())
	return why
}
