package sat

import (
	"context"
)

// The search: decide, propagate, learn, restart.
//
// Assumptions are the first decisions, one level each. Restarts follow
// Glucose: when the recent learned clauses span clearly more levels than the
// average. Source: Eén, Sörensson (MiniSat, 2003); Biere, Fröhlich
// ("Evaluating CDCL restart schemes", 2015) for the moving averages.

const (
	varDecay        = 1 / 0.95
	claDecay        = 1 / 0.999
	restartInterval = 50   // conflicts at least between two restarts
	restartMargin   = 1.15 // recent LBD over average LBD
	pollInterval    = 1 << 6
)

// restartState holds moving averages of LBDs.
type restartState struct {
	fast, slow float64
	n          float64 // conflicts of this call
	since      int     // conflicts since the last restart
}

// learned adds an LBD to the averages; early ones are plain means.
func (r *restartState) learned(lbd int) {
	r.n++
	r.fast += (float64(lbd) - r.fast) / min(r.n, 32)
	r.slow += (float64(lbd) - r.slow) / min(r.n, 8192)
	r.since++
}

func (r *restartState) due() bool {
	return r.since >= restartInterval && r.fast > restartMargin*r.slow
}

// Solve decides the clauses under assumptions. The error is the context's and
// comes with Unknown.
func (s *Solver) Solve(ctx context.Context, assumptions ...Lit) (Result, error) {
	return s.SolveCone(ctx, s.all, assumptions)
}

// SolveCone is [Solver.Solve] restricted to the variables of cone, which is sorted by number: no other
// variable is decided or gets a value.
//
// The caller guarantees that every valuation of the cone's variables that
// satisfies the clauses over the cone can be extended to all variables: the
// clauses beyond define gates by others, and the cone holds with a gate all
// that defines it. The assumptions are over the cone.
func (s *Solver) SolveCone(ctx context.Context, cone []Var, assumptions []Lit) (Result, error) {
	s.Stats.Solves++
	s.core = s.core[:0]
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	if !s.ok {
		return Unsat, nil
	}
	s.enterCone(cone)
	s.assumptions = append(s.assumptions[:0], assumptions...)
	s.scratch.ensureLevels(len(assumptions) + len(s.level) + 1)
	s.restart = restartState{}
	s.maybeReduce()
	r, err := s.search(ctx)
	s.backtrack(0)
	return r, err
}

func (s *Solver) enterCone(cone []Var) {
	s.query++
	if s.query == 0 { // the counter wrapped around
		clear(s.cone)
		clear(s.modelOf)
		s.query = 1
	}
	for _, v := range cone {
		s.cone[v] = s.query
	}
	s.order.reset(cone)
}

func (s *Solver) search(ctx context.Context) (Result, error) {
	for steps := 1; ; steps++ {
		if steps%pollInterval == 0 {
			if err := ctx.Err(); err != nil {
				return Unknown, err
			}
		}
		if c := s.propagate(); c != crefNone {
			if len(s.starts) == 0 {
				s.contradiction()
				return Unsat, nil
			}
			s.learn(c)
			continue
		}
		switch told, err := s.tellTheory(ctx); {
		case err != nil:
			return Unknown, err
		case !s.ok:
			return Unsat, nil
		case told:
			continue
		}
		if s.restart.due() || s.Stats.Conflicts >= s.reduce.next {
			s.doRestart()
			continue
		}
		switch next, done := s.decide(); {
		case done && next == litUndef:
			switch told, err := s.askTheory(ctx); {
			case err != nil:
				return Unknown, err
			case !s.ok:
				return Unsat, nil
			case told:
				continue
			}
			s.saveModel()
			return Sat, nil
		case done:
			s.analyzeFinal(next)
			s.logCore()
			return Unsat, nil
		case next != litUndef:
			s.starts = append(s.starts, int32(len(s.trail)))
			s.enqueue(next, crefNone)
		}
	}
}

func (s *Solver) doRestart() {
	s.Stats.Restarts++
	s.restart.since = 0
	s.restart.fast = s.restart.slow
	s.backtrack(0)
	s.maybeReduce()
}

// contradiction notes that the clauses alone are contradictory.
func (s *Solver) contradiction() {
	s.ok = false
	if s.proof != nil {
		s.proof.Add(nil)
	}
}

// logCore tells the proof the clause that excludes the core.
func (s *Solver) logCore() {
	if s.proof == nil {
		return
	}
	clause := make([]Lit, len(s.core))
	for i, l := range s.core {
		clause[i] = l.Not()
	}
	s.proof.Add(clause)
}

// learn adds the clause behind a conflict and jumps back to where it implies
// something.
func (s *Solver) learn(conflict cref) {
	s.Stats.Conflicts++
	lits, level, lbd := s.analyze(conflict)
	if s.proof != nil {
		s.proof.Add(lits)
	}
	s.restart.learned(lbd)
	s.backtrack(level)
	if len(lits) == 1 {
		s.enqueue(lits[0], crefNone)
	} else {
		c := s.mem.alloc(lits, true, lbd)
		s.mem.setActivity(c, s.claInc)
		s.learned = append(s.learned, c)
		s.attach(c)
		s.enqueue(lits[0], c)
	}
	s.varInc *= varDecay
	s.claInc *= claDecay
}

// decide chooses the next decision. With done, litUndef means that the cone
// is assigned and another literal that this assumption is false. Without,
// litUndef means that an assumption holds already and got a level of its own.
func (s *Solver) decide() (next Lit, done bool) {
	if i := len(s.starts); i < len(s.assumptions) {
		p := s.assumptions[i]
		switch s.value[p] {
		case isTrue:
			s.starts = append(s.starts, int32(len(s.trail)))
			return litUndef, false
		case isFalse:
			return p, true
		}
		s.Stats.Decisions++
		return p, false
	}
	for {
		v, ok := s.order.pop()
		if !ok {
			return litUndef, true
		}
		if s.value[Pos(v)] == unassigned {
			s.Stats.Decisions++
			return MkLit(v, s.phase[v]), false
		}
	}
}

// saveModel keeps the values of the cone's variables.
func (s *Solver) saveModel() {
	for _, l := range s.trail {
		if v := l.Var(); s.cone[v] == s.query {
			s.model[v] = !l.Neg()
			s.modelOf[v] = s.query
		}
	}
}
