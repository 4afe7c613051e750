package bounded

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/engine/invariants"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
)

// The directed search alone has a proof if and only if enumeration of all states finds no violation; its
// invariants hold of all states; also if it is interrupted again and again.
func TestDirectedAgainstEnumeration(t *testing.T) {
	programs := 1200
	if testing.Short() {
		programs = 300
	}
	var proofs, violations, clauses int
	for seed := range uint64(programs) {
		m := newMaker(seed, 6)
		c := m.component(10 + m.r.IntN(16))
		g, spec := component.NewGraph(c), m.specification(c.Cut)
		f, err := newFlow(t.Context(), g)
		require.NoError(t, err)
		x := &explorer{flow: f, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}
		bounds := map[component.Node][]*expr.Expr{}
		if seed%8 < 2 { // else all is left to the search
			bounds, err = invariants.Bounds(t.Context(), g, x.order)
			require.NoError(t, err)
		}
		induction, err := NewInduction(t.Context(), g, spec, bounds)
		require.NoError(t, err)
		for more := func() bool { return true }; induction.stage <= narrow && !induction.failed; {
			require.NoError(t, induction.next(t.Context(), more))
		}
		induction.failed = true // from here on
		step := int64(1 << 40)
		if seed%2 == 0 {
			step = 500
		}
		var proof *Proof
		over := false
		for effort := step; proof == nil && !over; effort *= 2 {
			proof, over, err = induction.Prove(t.Context(), effort)
			require.NoError(t, err)
			require.Positive(t, effort, "seed %d", seed)
		}
		left, arrivals := x.reach()
		require.Equal(t, !left && !x.cut, proof != nil, "seed %d", seed)
		if proof == nil {
			violations++
			continue
		}
		proofs++
		for _, cs := range induction.directed.proof {
			clauses += len(cs)
		}
		for s := range arrivals {
			i := slices.Index(proof.CutPoints, CutPoint{s.node, s.spec})
			require.GreaterOrEqual(t, i, 0, "seed %d", seed)
			for _, c := range proof.Invariants[i] {
				require.True(t, x.holds(c, s), "seed %d: %v", seed, c)
			}
		}
	}
	t.Logf("%d proofs with %d clauses, %d violations", proofs, clauses, violations)
	assert.Greater(t, proofs, programs/10)
	assert.Greater(t, violations, programs/10)
	assert.Greater(t, clauses, programs/60)
}

// The comparisons that are read off a model hold in it, speak of variables only, and imply the condition for
// the choices of the model.
func TestCubesImplyWhatTheyAreReadOff(t *testing.T) {
	conditions := 2000
	if testing.Short() {
		conditions = 400
	}
	read := 0
	for seed := range uint64(conditions) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := expr.NewPool()
		vars := []*expr.Expr{p.Var("a", tiny), p.Var("b", tiny)}
		choices := []*expr.Expr{p.Var("k", tiny), p.Var("on", expr.Bool)}
		f := &flow{index: map[*expr.Expr]int{vars[0]: 0, vars[1]: 1}, vars: vars}
		u := &unrolling{flow: f, pool: p, solver: bitblast.New(p)}
		var term func(depth int) *expr.Expr
		var cond func(depth int) *expr.Expr
		term = func(depth int) *expr.Expr {
			switch {
			case depth == 0:
				return []*expr.Expr{vars[0], vars[1], choices[0], p.Const(tiny, r.Uint64())}[r.IntN(4)]
			case r.IntN(2) == 0:
				return p.Ite(cond(depth-1), term(depth-1), term(depth-1))
			}
			return p.Add(term(depth-1), term(depth-1))
		}
		cond = func(depth int) *expr.Expr {
			switch {
			case depth == 0:
				return choices[1]
			case r.IntN(3) == 0:
				return p.Lt(term(depth-1), term(depth-1))
			case r.IntN(3) == 0:
				return p.Eq(term(depth-1), term(depth-1))
			case r.IntN(4) == 0:
				return p.Not(cond(depth - 1))
			case r.IntN(2) == 0:
				return u.holds(p.And(p.FromBool(bitType, cond(depth-1)), p.FromBool(bitType, cond(depth-1))))
			}
			return p.Lor(cond(depth-1), p.Land(cond(depth-1), cond(depth-1)))
		}
		goal := cond(5)
		if sat, err := u.solver.Check(t.Context(), goal); err != nil || sat != solver.Sat {
			require.NoError(t, err)
			continue
		}
		read++
		reader := newReader(f, u)
		reader.require(goal)
		for a := range uint64(4) {
			for b := range uint64(4) {
				value := func(v *expr.Expr) uint64 {
					switch v {
					case vars[0]:
						return a
					case vars[1]:
						return b
					}
					require.Contains(t, choices, v)
					return u.solver.Value(v)
				}
				inside := true
				for _, c := range reader.cube() {
					require.Subset(t, vars, expr.Vars(c), "seed %d: %v", seed, c)
					inside = inside && expr.Eval(c, value) == 1
				}
				if inside {
					require.Equal(t, uint64(1), expr.Eval(goal, value), "seed %d: %v", seed, goal)
				}
				if a == u.solver.Value(vars[0]) && b == u.solver.Value(vars[1]) {
					require.True(t, inside, "seed %d", seed)
				}
			}
		}
	}
	assert.Greater(t, read, conditions/4)
}
