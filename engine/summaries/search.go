package summaries

// The search: exploration and refinement in turn.
//
// Idea: counterexample-guided abstraction refinement, one set of predicates for all procedures, each tracked
// where it is in scope and decides something. Predicates come from paths that contradict themselves, by what
// package predabs knows of them: conditions of the path, and where these do not suffice, weakest preconditions
// along it.
//
// Source: Chaki et al., Efficient Verification of Sequential and Concurrent C Programs (2004), section 6.
// Deviation: no smallest set is looked for.
//
// Cost: an exploration for each path.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/predabs"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Effort, in the unit of package bounded.
const (
	postEffort = 16
	maxPosts   = 1 << 12 // before the effort of the decision procedure is looked at
	pathEffort = 1 << 11
	stepEffort = 1 << 7 // of a path
)

// A Search looks for a proof.
type Search struct {
	ps     *component.Procedures
	abs    *predabs.Abstraction
	solver solver.Full
	spec   *lts.LTS
	set    []int
	now    *exploration // nil before the first, and after a refinement
	answer Answer
	made   int64
	limits Limits
}

// Taken are the edges of the component's control graph that the last exploration took.
func (s *Search) Taken() []bool { return s.ps.Stands(s.now.taken) }

// Limits of a search; 0 for none.
type Limits struct{ Iterations, States int }

// An Answer is what is known.
type Answer struct {
	Proved     bool
	GivenUp    error // why the search does not go on; nil if it does
	Iterations int
	States     int // of the last exploration
	Contexts   int // procedures with an entry state
	Procedures int
}

// String is how far the search is.
func (a Answer) String() string {
	return fmt.Sprintf("%d procedures, %d contexts, %d states, %d iterations", a.Procedures, a.Contexts, a.States,
		a.Iterations)
}

// A Failure is why a search gives up.
type Failure struct{ Why string }

func (f *Failure) Error() string { return f.Why }

// New is a search about a component and a specification, which is deterministic. The error is an
// *cfa.UnsupportedError where recursion needs several variables for one, or ctx's.
func New(ctx context.Context, c *component.Component, s solver.Full, spec *lts.LTS, limits Limits) (*Search, error) {
	ps, err := c.Procedures()
	if err != nil {
		return nil, err
	}
	abs, err := predabs.NewOver(ctx, ps.Graph, s, predabs.Options{Scope: ps.InScope, Passed: ps.Passes, Unseeded: true})
	if err != nil {
		return nil, err
	}
	return &Search{ps: ps, abs: abs, solver: s, spec: spec, limits: limits, answer: Answer{Procedures: len(ps.List)}}, nil
}

// At is where a node of the control graph stands.
func (s *Search) At(n component.Node) (loc cfa.Loc, choice int, state lts.State) {
	return s.ps.Graph.Point(n)
}

// Effort is what was made.
func (s *Search) Effort() int64 { return s.made + solver.Effort(s.solver) }

// Go goes on until so much effort was made in all. The error is ctx's, or the decision procedure's.
func (s *Search) Go(ctx context.Context, effort int64) (Answer, error) {
	for !s.answer.Proved && s.answer.GivenUp == nil && s.Effort() < effort {
		if s.now == nil {
			if most := s.limits.Iterations; most > 0 && s.answer.Iterations >= most {
				s.answer.GivenUp = &Failure{fmt.Sprintf("not proved after %d iterations", most)}
				break
			}
			posts, err := s.abs.Posts(ctx, s.set)
			if err != nil {
				return s.answer, err
			}
			s.now = explore(s.ps, posts, s.spec)
			s.answer.Iterations++
		}
		found, made, err := s.now.run(ctx, int(min(maxPosts, max(1, (effort-s.Effort())/postEffort))))
		s.made += postEffort * int64(made)
		s.answer.States, s.answer.Contexts = len(s.now.states), len(s.now.contexts)
		switch {
		case err != nil:
			return s.answer, err
		case found != nil:
			if s.answer.GivenUp, err = s.refine(ctx, found); err != nil {
				return s.answer, err
			}
			s.now = nil
		case s.limits.States > 0 && len(s.now.states) > s.limits.States:
			s.answer.GivenUp = &Failure{fmt.Sprintf("more than %d abstract states", s.limits.States)}
		default:
			s.answer.Proved = s.now.over()
		}
	}
	return s.answer, nil
}

// refine excludes what led to a breach, or says why it cannot. A path that the program can take but for what
// calls do may be one that it cannot take if they change nothing: then that is what has to be known of them.
func (s *Search) refine(ctx context.Context, b *breach) (giveUp, err error) {
	why := "no predicates exclude a path"
	for depth := 0; ; depth = max(1, 2*depth) {
		var p *path
		feasible := false
		for _, same := range []bool{false, true} {
			if p = s.now.flatten(b, reading{depth, same}); p == nil {
				return &Failure{fmt.Sprintf("%s, which is longer than %d steps with the bodies of its calls", why, maxPath)}, nil
			}
			learnt, can, err := s.learn(ctx, p)
			if learnt || err != nil {
				return nil, err
			}
			if feasible = can; !feasible || !p.left {
				break
			}
			why = "the program can take a path but for what its calls do"
		}
		switch {
		case p.left:
		case feasible:
			return &Failure{"a run that the specification does not allow was found, which this method leaves to others"}, nil
		default:
			return &Failure{fmt.Sprintf("%s of %d steps", why, len(p.steps))}, nil
		}
	}
}

// learn chooses predicates that exclude a path, and reports whether some are new; feasible says that the program can
// run so.
func (s *Search) learn(ctx context.Context, p *path) (learnt, feasible bool, err error) {
	s.made += pathEffort + int64(len(p.steps))*stepEffort
	g := s.now.graph(p)
	abs, err := predabs.NewOver(ctx, g, s.solver, predabs.Options{})
	if err != nil {
		return false, false, err
	}
	all := make([]int32, len(p.steps))
	for i := range all {
		all[i] = int32(i)
	}
	whole, err := abs.Keep(all)
	if err != nil {
		return false, false, err
	}
	f, err := abs.Feasible(ctx, whole)
	if err != nil || f.Feasible {
		return false, f.Feasible, err
	}
	set, err := s.choose(ctx, abs, whole, f.Core)
	for _, i := range set {
		for _, a := range abs.Asks(i) {
			for _, q := range s.asked(p, a) {
				_, isNew := s.abs.Ask(q)
				learnt = learnt || isNew
			}
		}
	}
	if s.all(); !learnt && err == nil {
		learnt, err = s.relate(ctx)
	}
	return learnt, false, err
}

// all chooses all candidates that there are.
func (s *Search) all() {
	every := make([]int, len(s.abs.Candidates))
	for i := range every {
		every[i] = i
	}
	s.set = s.abs.Widest(every)
}

// asked is a condition of a path, at nodes of the program. What is asked behind a call that the path has as one
// step is asked of the callee's end.
func (s *Search) asked(p *path, a predabs.Asked) []predabs.Asked {
	here := predabs.Asked{Pos: a.Pos, Local: a.Local}
	here.Cond, _ = s.now.shared(p, a.Cond, -1)
	var all []predabs.Asked
	for _, at := range a.At {
		i := at.Node - 2
		of := p.steps[i]
		cond, ok := s.now.shared(p, at.Atom, of.call)
		if !ok || of.edge.From == component.Init {
			continue
		}
		here.At = append(here.At, predabs.AskedAt{Node: of.edge.From, Atom: cond})
		if over := p.steps[i-1].over; over != nil && s.changes(over, cond) {
			end := predabs.AskedAt{Node: s.ps.List[over.Callee].Exit, Atom: cond}
			all = append(all, predabs.Asked{Cond: cond, Pos: a.Pos, At: []predabs.AskedAt{end}})
		}
	}
	return append(all, here)
}

// changes reports whether a call may change what a condition speaks of.
func (s *Search) changes(site *component.CallSite, cond *expr.Expr) bool {
	return slices.ContainsFunc(expr.Vars(cond), func(v *expr.Expr) bool {
		return slices.Contains(s.ps.List[site.Callee].Writes, v)
	})
}

// choose is a set of candidates that eliminates the path; empty if there is none.
func (s *Search) choose(ctx context.Context, abs *predabs.Abstraction, whole predabs.Path, core []int) ([]int, error) {
	var set []int
	for i := range abs.Candidates {
		if asksAt(abs, i, core) {
			set = append(set, i)
		}
	}
	gone, err := abs.Eliminates(ctx, whole, set)
	for attempt := 0; attempt < 2 && !gone && err == nil; attempt++ {
		if attempt > 0 && abs.Discover(whole, core) == 0 {
			break
		}
		if set, err = abs.Relevant(ctx, whole); err == nil {
			set = abs.Widest(set)
			gone, err = abs.Eliminates(ctx, whole, set)
		}
	}
	if !gone || err != nil {
		return nil, err
	}
	for i := len(set) - 1; i >= 0 && len(set) > 1; i-- {
		less := slices.Delete(slices.Clone(set), i, i+1)
		if gone, err = abs.Eliminates(ctx, whole, less); err != nil {
			return nil, err
		}
		if gone {
			set = less
		}
	}
	return set, nil
}

// asksAt reports whether a candidate asks something at one of the positions.
func asksAt(abs *predabs.Abstraction, candidate int, core []int) bool {
	for _, a := range abs.Asks(candidate) {
		for _, at := range a.At {
			if _, ok := slices.BinarySearch(core, int(at.Node)-2); ok {
				return true
			}
		}
	}
	return false
}
