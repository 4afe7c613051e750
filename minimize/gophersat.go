package minimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	gophersat "github.com/crillab/gophersat/solver"
)

// Incremental use of gophersat v1.4.0, around its known faults.
//
// One-shot solving is right; incremental use is right only with the guards of
// satSolver, each of which has its reason beside it and a test named TestFault….
// Not used at all: the native optimisers (Minimize, Optimal), which return
// infeasible optima on mixed clauses; SetCostFunc, which panics without weights;
// CuttingPlanes, which may not end; Enumerate, which is wrong now and then.
//
// gophersat cannot be interrupted, but it reports each conflict on CertChan when
// asked for a certificate. That serves as a heartbeat: conflicts are counted
// against a budget, and to abort a search the channel is closed, which makes the
// search panic at its next conflict, in its own goroutine, where the panic is
// recovered. The solver is not used again after that. A search without conflicts
// cannot be interrupted; it is short.

// gophersatLock serialises all use of gophersat: its clause learning writes to a
// buffer in a package variable, so two solvers in two goroutines interfere. A
// lock for a package-wide fault has to be package-wide; it guards no state of
// this package.
var gophersatLock sync.Mutex

// errSolver says that gophersat answered what is verifiably wrong, or panicked.
var errSolver = errors.New("gophersat gave a wrong answer")

// satSolver is an incremental SAT solver. Literals are ±v for the variables
// v = 1 … numVars.
type satSolver struct {
	engine  *gophersat.Solver
	numVars int
	clauses [][]int // of two or more literals, without duplicates
	units   []int   // never added to the engine, whose Assume forgets them: passed with every Assume
	falsum  bool    // an empty clause was added
	broken  bool    // the engine was interrupted and must not be used again
}

// newSatSolver makes all variables at once: those that AppendClause introduces
// make the engine panic or answer wrongly.
func newSatSolver(numVars int) *satSolver {
	gophersatLock.Lock()
	defer gophersatLock.Unlock()
	return &satSolver{numVars: numVars, engine: gophersat.New(gophersat.ParseSliceNb(nil, numVars))}
}

// add adds a clause. A literal out of range is an error.
func (s *satSolver) add(clause ...int) error {
	lits, tautology, err := s.normal(clause)
	if err != nil || tautology { // which says nothing
		return err
	}
	switch len(lits) {
	case 0:
		s.falsum = true
	case 1:
		s.units = append(s.units, lits[0])
	default:
		s.clauses = append(s.clauses, lits)
		gophersatLock.Lock()
		defer gophersatLock.Unlock()
		// Under assumptions AppendClause would simplify the clause for good.
		s.engine.Assume(nil)
		s.engine.AppendClause(gophersat.NewClause(toEngine(lits)))
	}
	return nil
}

// normal returns the literals sorted by variable, without duplicates, and
// whether one occurs with both signs. The engine panics or answers wrongly when
// a clause has a literal twice or a variable that it does not know.
func (s *satSolver) normal(lits []int) (out []int, both bool, err error) {
	out = slices.Clone(lits)
	slices.SortFunc(out, func(a, b int) int {
		if d := max(a, -a) - max(b, -b); d != 0 {
			return d
		}
		return a - b
	})
	out = slices.Compact(out)
	for i, l := range out {
		if l == 0 || max(l, -l) > s.numVars {
			return nil, false, fmt.Errorf("%w: literal %d with %d variables", errSolver, l, s.numVars)
		}
		both = both || i > 0 && out[i-1] == -l
	}
	return out, both, nil
}

func toEngine(lits []int) []gophersat.Lit {
	out := make([]gophersat.Lit, len(lits))
	for i, l := range lits {
		out[i] = gophersat.IntToLit(int32(l))
	}
	return out
}

// solve looks for a model under the assumptions: model[v] is the value of v, and
// model is nil when there is none. It counts conflicts into st and fails with
// ErrBudget when they exceed the budget, with errSolver when the model is wrong.
func (s *satSolver) solve(ctx context.Context, assumptions []int, budget int, st *Stats) ([]bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.broken {
		return nil, fmt.Errorf("%w: used after an interruption", errSolver)
	}
	lits, contradictory, err := s.normal(slices.Concat(s.units, assumptions))
	if err != nil {
		return nil, err
	}
	if contradictory || s.falsum { // the engine answers Sat to contradictory assumptions
		return nil, nil
	}
	st.PBCalls++
	model, err := s.search(ctx, lits, budget, st)
	if err != nil || model == nil {
		return nil, err
	}
	return model, s.check(model, lits)
}

// outcome is how a search ended.
type outcome struct {
	status gophersat.Status
	panic  any
}

// search runs the engine in a goroutine of its own, which has ended when search
// returns, and watches its heartbeat.
func (s *satSolver) search(ctx context.Context, assumptions []int, budget int, st *Stats) ([]bool, error) {
	gophersatLock.Lock()
	defer gophersatLock.Unlock()
	s.engine.Certified = false
	if s.engine.Assume(toEngine(assumptions)) == gophersat.Unsat {
		return nil, nil
	}
	heartbeat := make(chan string, 64)
	s.engine.Certified, s.engine.CertChan = true, heartbeat
	ended := make(chan outcome, 1)
	go func() {
		o := outcome{status: gophersat.Indet}
		defer func() {
			o.panic = recover()
			ended <- o
		}()
		o.status = s.engine.Solve()
	}()
	end, conflicts, err := watch(ctx, heartbeat, ended, budget)
	st.PBConflicts += conflicts
	if err != nil || end.panic != nil {
		s.broken = true
	}
	switch {
	case err != nil:
		return nil, err
	case end.panic != nil:
		return nil, fmt.Errorf("%w: panic: %v", errSolver, end.panic)
	case end.status != gophersat.Sat:
		return nil, nil
	}
	return append([]bool{false}, s.engine.Model()...), nil
}

// watch counts heartbeats until the search ends, and ends it when they exceed
// the budget or the context is done. Whether the budget was exceeded depends on
// the number of heartbeats alone, not on timing.
func watch(ctx context.Context, heartbeat chan string, ended <-chan outcome, budget int) (outcome, int, error) {
	conflicts := 0
	for {
		select {
		case <-heartbeat:
			if conflicts++; conflicts > budget {
				return abort(heartbeat, ended), conflicts, ErrBudget
			}
		case <-ctx.Done():
			return abort(heartbeat, ended), conflicts, ctx.Err()
		case o := <-ended:
			if conflicts += len(heartbeat); conflicts > budget {
				return o, conflicts, ErrBudget
			}
			return o, conflicts, nil
		}
	}
}

// check verifies a model against everything it has to satisfy. The guards above
// are against the faults that are known; this one is against the others.
func (s *satSolver) check(model []bool, assumptions []int) error {
	if len(model) != s.numVars+1 {
		return fmt.Errorf("%w: model of %d variables instead of %d", errSolver, len(model)-1, s.numVars)
	}
	for _, l := range assumptions {
		if !holds(model, l) {
			return fmt.Errorf("%w: model violates unit or assumption %d", errSolver, l)
		}
	}
	for _, c := range s.clauses {
		if !slices.ContainsFunc(c, func(l int) bool { return holds(model, l) }) {
			return fmt.Errorf("%w: model violates clause %v", errSolver, c)
		}
	}
	return nil
}

func holds(model []bool, lit int) bool {
	if lit < 0 {
		return !model[-lit]
	}
	return model[lit]
}
