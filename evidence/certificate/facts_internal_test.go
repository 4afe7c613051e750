package certificate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
	"magus/smt/expr"
)

// An aimlessPart is a random part of a model in which a copy stays: moves between a few states, each with a step that
// may have a guard and may change a variable.
type aimlessPart struct {
	model  *endlessModel
	states int
	moves  []modelMove
}

func randomPart(r *rand.Rand, pool *expr.Pool, vars []*expr.Expr) *aimlessPart {
	p := &aimlessPart{states: 2 + r.IntN(3), model: &endlessModel{
		obligations: &obligations{Checker: &Checker{vars: map[*expr.Expr][]*expr.Expr{}}},
		own:         map[*expr.Expr]bool{}, stands: map[modelMove][]*step{}}}
	for _, v := range vars {
		p.model.own[v] = true
	}
	for from := range p.states {
		for range 1 + r.IntN(2) {
			m := modelMove{from: lts.State(from), to: lts.State(r.IntN(p.states))}
			if _, has := p.model.stands[m]; has {
				continue
			}
			for range 1 + r.IntN(2) {
				st := &step{}
				if v := vars[r.IntN(len(vars))]; r.IntN(5) > 0 {
					st.guard = []*expr.Expr{[]*expr.Expr{v, pool.Not(v)}[r.IntN(4)/3]}
				}
				if v := vars[r.IntN(len(vars))]; r.IntN(3) == 0 {
					st.assign = []assignment{{to: v, value: []*expr.Expr{pool.True(), pool.False(), pool.Not(v)}[r.IntN(3)]}}
				}
				p.model.stands[m] = append(p.model.stands[m], st)
			}
			p.moves = append(p.moves, m)
		}
	}
	return p
}

// walk stays in the part as long as it can and calls see at each state that it comes to after a while.
func (p *aimlessPart) walk(r *rand.Rand, vars []*expr.Expr, see func(lts.State, func(*expr.Expr) uint64)) {
	values := map[*expr.Expr]uint64{}
	for _, v := range vars {
		values[v] = r.Uint64N(2)
	}
	value := func(v *expr.Expr) uint64 { return values[v] }
	at := lts.State(r.IntN(p.states))
	for n := range 40 {
		if n > 2*p.states {
			see(at, value)
		}
		moved := false
		for _, k := range r.Perm(len(p.moves)) {
			m := p.moves[k]
			i := slices.IndexFunc(p.model.stands[m], func(s *step) bool {
				return !slices.ContainsFunc(s.guard, func(g *expr.Expr) bool { return expr.Eval(g, value) != 1 })
			})
			if m.from != at || i < 0 {
				continue
			}
			for _, a := range p.model.stands[m][i].assign {
				values[a.to] = expr.Eval(a.value, value)
			}
			at, moved = m.to, true
			break
		}
		if !moved {
			return
		}
	}
}

// What is said to hold once a run has stayed in a part for long holds on each run that has.
func TestFactsHoldAfterAWhile(t *testing.T) {
	pool := expr.NewPool()
	vars := []*expr.Expr{pool.Var("p", expr.Bool), pool.Var("q", expr.Bool)}
	known, seen := 0, 0
	for seed := range sample.Seeds(1, sample.Count(600)) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := randomPart(r, pool, vars)
		facts := p.model.facts(p.moves)
		for _, all := range facts {
			known += len(all)
		}
		for range 4 {
			p.walk(r, vars, func(at lts.State, value func(*expr.Expr) uint64) {
				for _, f := range facts[at] {
					seen++
					require.EqualValues(t, 1, expr.Eval(f, value), "seed %d: %v at %d", seed, f, at)
				}
			})
		}
	}
	t.Logf("%d facts, seen to hold %d times", known, seen)
	require.Greater(t, known, sample.Count(600)/2)
	require.Greater(t, seen, known)
}
