package termination

// Runs that go round for ever.
//
// Idea: control goes on as it did before where a head is met again with the same values of all variables on
// which it depends how loops go on, if the same is chosen again. So a run that does that goes round for ever.
// Such runs are met by chance, on random runs. The lasso is executed: the stem, and the loop several times.
//
// What a loop reads and writes of memory without variables is the same each time only if all variables are, so these
// are compared where it does. From the second round on, memory is as it was a round before.
//
// Source: a repeated state is the definition of a lasso of a finite system (Vardi, Wolper, 1986).
// Cost: linear in the runs.

import (
	"context"
	"fmt"
	"math/rand"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/witness"
	"magus/smt/expr"
)

// A lasso is a run that goes round for ever: its steps from the stem on are those of some rounds.
type lasso struct {
	run   *interp.Run
	stem  int // steps of the script
	round int // steps of the first round; others may take other ways, in a set
	// set is what holds each time that the loop begins, if it is not the same state each time.
	set  []*expr.Expr
	head component.Node
	// steps is how many heads a round passes in a set, and by says what is chosen.
	steps int
	by    policy
}

// How random runs are made that may repeat a state, and how often a loop is executed that does.
const (
	lassoRuns   = 150
	lassoSteps  = 800
	twiceAround = 2
)

// goRound looks for a run that repeats a state.
func (s *Session) goRound(ctx context.Context) (string, error) {
	q := s.asked
	machine, env := interp.New(q.comp.CFA), witness.Env(q.comp)
	for i := range lassoRuns {
		run, err := machine.Walk(ctx, rand.New(rand.NewSource(int64(1000+i))), lassoSteps, env)
		if err != nil {
			return "", err
		}
		stem, end, ok := q.repeats(run)
		if !ok {
			continue
		}
		found, err := q.execute(ctx, machine, run.Script, stem, end)
		if err != nil {
			return "", err
		}
		if found != nil {
			s.violated(found)
			return "", nil
		}
	}
	return "no random run repeats a state", nil
}

// A moment is when a run is at the head of a loop.
type moment struct {
	step int
	all  string // what is compared where memory was accessed
}

// repeats finds two moments of a run with the same state: what the loop reads is the same, and everything is if memory
// was accessed between them.
func (q *question) repeats(run *interp.Run) (stem, end int, ok bool) {
	isHead := map[component.Node]bool{}
	for _, m := range q.ranking.left {
		isHead[m.to] = true
	}
	var all []*expr.Expr // all variables, if memory is accessed at all
	if slices.ContainsFunc(q.comp.CFA.Locs, func(l cfa.Location) bool { return accessesMemory(l.Stmt) }) {
		for _, v := range q.comp.CFA.Vars {
			all = append(all, v.Expr)
		}
	}
	met := map[string]moment{}
	lastAccess := -1
	for k, state := range run.States {
		n := q.graph.At(state.Loc())
		if k >= len(run.Script.Steps) {
			break
		}
		if isHead[n] {
			now := moment{k, q.key(n, state, all)}
			key := q.key(n, state, q.ranking.vars)
			if m, again := met[key]; again && (lastAccess < m.step || m.all == now.all) {
				return m.step, k, true
			}
			met[key] = now
		}
		if accessesMemory(q.comp.CFA.Locs[state.Loc()].Stmt) {
			lastAccess = k
		}
	}
	return 0, 0, false
}

// accessesMemory reports whether a statement reads or writes memory that has no variable.
func accessesMemory(s cfa.Stmt) bool {
	a, ok := s.(cfa.Assign)
	return ok && a.Memory != nil
}

// key is a state as text.
func (q *question) key(n component.Node, s interp.State, vars []*expr.Expr) string {
	b := fmt.Appendf(nil, "%d", n)
	for _, v := range vars {
		x, _ := s.Value(v)
		b = fmt.Appendf(b, " %x", x)
	}
	return string(b)
}

// execute makes a run of a stem and some rounds of what follows up to an end. It is nil if the run rests on a
// value that is not modelled, or on what memory held the first time only.
func (q *question) execute(ctx context.Context, m *interp.Machine, script interp.Script, stem,
	end int) (*lasso, error) {
	rounds := twiceAround + 1
	for _, st := range script.Steps[:end] {
		// it may go from one variable to the next in each round
		if a, ok := q.comp.CFA.Locs[st.Loc].Stmt.(cfa.Assign); ok && a.Approx != "" {
			rounds = max(rounds, min(len(q.comp.CFA.Vars)+2, 100))
		}
	}
	out := interp.Script{Init: script.Init, Env: script.Env}
	out.Steps = append(out.Steps, script.Steps[:end]...)
	for range rounds - 1 {
		out.Steps = append(out.Steps, script.Steps[stem:end]...)
	}
	found := &lasso{stem: stem, round: end - stem}
	return found, q.replay(ctx, m, out, &found)
}

// replay executes a script that is a lasso's; the lasso becomes nil if it is not believed.
func (q *question) replay(ctx context.Context, m *interp.Machine, script interp.Script, l **lasso) error {
	run, err := m.Replay(ctx, script)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || run.Tainted != nil || !q.starts(script.Init):
		*l = nil
		return nil
	}
	(*l).run = run
	return nil
}

// starts reports whether initial values satisfy the component's guard.
func (q *question) starts(init []interp.Binding) bool {
	if q.comp.Guard == nil {
		return true
	}
	first := values{}
	for _, b := range init {
		first[b.Var] = b.Value
	}
	return first.holds(q.comp.Guard)
}
