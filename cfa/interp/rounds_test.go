package interp_test

import (
	"context"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A round is a random way through a loop: statements in a row, the last of which leads to the first one; a
// branch that is not taken leads to the end.
type round struct {
	*builder
	rnd     *rand.Rand
	vars    []*expr.Expr
	truth   *expr.Expr
	choices [][]interp.Binding
}

func newRound(seed int64) *round {
	r := &round{builder: newBuilder(), rnd: seeded(seed)}
	types := []expr.Type{{Width: 5}, {Width: 6, Signed: true}, {Width: 8}, {Width: 64}, {Width: 64, Signed: true}}
	for _, name := range []string{"a", "b", "c"} {
		r.vars = append(r.vars, r.variable(name, types[r.rnd.Intn(len(types))], cfa.Local))
	}
	r.truth = r.variable("t", expr.Bool, cfa.Local)
	n := 1 + r.rnd.Intn(8)
	for i := range n {
		next := cfa.Loc((i + 1) % n)
		var chosen []interp.Binding
		switch v := r.pick(); r.rnd.Intn(7) {
		case 0:
			cond := r.p.Not(r.p.Eq(r.p.And(r.term(v.Type()), r.p.Int(v.Type(), 31)), r.p.Int(v.Type(), int64(r.rnd.Intn(32)))))
			if r.rnd.Intn(2) == 0 {
				cond = r.p.Not(r.p.Lt(r.term(v.Type()), r.p.Int(v.Type(), -14)))
			}
			if r.rnd.Intn(2) == 0 {
				cond = r.truth
			}
			r.add(cfa.Branch{Cond: cond}, next, cfa.Loc(n))
		case 1:
			r.add(cfa.Assign{LHS: v, Nondet: "nondet"}, next)
			chosen = []interp.Binding{{Var: v, Value: r.rnd.Uint64()}}
		case 2:
			r.add(cfa.Goto{}, next)
		case 3:
			r.add(cfa.Assign{LHS: r.truth, RHS: r.p.Lt(r.term(v.Type()), r.p.Int(v.Type(), 12))}, next)
		default:
			r.add(cfa.Assign{LHS: v, RHS: r.term(v.Type())}, next)
		}
		r.choices = append(r.choices, chosen)
	}
	r.add(cfa.Halt{})
	return r
}

func (r *round) pick() *expr.Expr { return r.vars[r.rnd.Intn(len(r.vars))] }

// term is a small one of a type.
func (r *round) term(t expr.Type) *expr.Expr {
	x, y := r.p.Cast(t, r.pick()), r.p.Cast(t, r.pick())
	switch r.rnd.Intn(7) {
	case 0:
		return x
	case 1:
		return r.p.Ite(r.p.Lt(x, y), r.p.Neg(x), y)
	case 2:
		return r.p.Int(t, int64(r.rnd.Intn(40)))
	case 3:
		return r.p.Rem(x, r.p.Xor(y, r.p.Int(t, 5)))
	case 4:
		return r.p.Sub(x, y)
	}
	return r.p.Add(x, r.p.Int(t, int64(r.rnd.Intn(9)-4)))
}

// pass is the steps of one round.
func (r *round) pass() (steps []interp.ScriptStep) {
	for i, c := range r.choices {
		steps = append(steps, interp.ScriptStep{Loc: cfa.Loc(i), Choices: c})
	}
	return steps
}

// TestRoundsAgreeWithSteps: rounds in one step lead to the same values as one step after the other, and are
// left in the same round.
func TestRoundsAgreeWithSteps(t *testing.T) {
	sample.Long(t)
	made, left := 0, 0
	for seed := range int64(4000) {
		r := newRound(seed)
		script, round := interp.Script{}, r.pass()
		for _, v := range r.vars {
			script.Init = append(script.Init, interp.Binding{Var: v, Value: v.Type().Trunc(r.rnd.Uint64())})
		}
		script.Init = append(script.Init, interp.Binding{Var: r.truth, Value: uint64(r.rnd.Intn(2))})
		written := script
		for range 1 + r.rnd.Intn(50) {
			written.Steps = append(written.Steps, round...)
		}
		times := uint64(len(written.Steps) / len(round))
		script.Steps = []interp.ScriptStep{{Repeat: &interp.Repeat{Round: round, Times: times}}}
		want, divergence := r.machine().Replay(ctx(), written)
		run, err := r.machine().Replay(ctx(), script)
		if divergence != nil || want.End.Loc() != 0 {
			require.Error(t, err, r.c.String())
			left++
			continue
		}
		require.NoError(t, err, r.c.String())
		require.Equal(t, valuation(want.End), valuation(run.End), r.c.String())
		require.Len(t, run.Steps, 1)
		for i, s := range run.States {
			require.True(t, i == 0 || valuation(s) == valuation(run.End))
		}
		if times > 20 {
			made++
		}
	}
	require.Greater(t, made, 500)
	require.Greater(t, left, 500)
}

// counting is: while (x < n) x += 2; error.
func counting(n int64) (*builder, *expr.Expr) {
	b := newBuilder()
	x := b.local("x")
	b.branch(b.p.Lt(x, b.int(n)), 1, 2)
	b.add(cfa.Assign{LHS: x, RHS: b.p.Add(x, b.int(2))}, 0)
	b.act("error")
	b.add(cfa.Halt{})
	return b, x
}

func rounds(n uint64) interp.ScriptStep {
	return interp.ScriptStep{Repeat: &interp.Repeat{Round: []interp.ScriptStep{{Loc: 0}, {Loc: 1}}, Times: n}}
}

// TestRounds: what is recorded of rounds, and that a wrong number of them is noticed.
func TestRounds(t *testing.T) {
	b, x := counting(2_000_000)
	end := []interp.ScriptStep{{Loc: 0}, {Loc: 2, Actions: []string{"error"}}}
	run, err := b.machine().Replay(ctx(), interp.Script{Steps: append([]interp.ScriptStep{rounds(1_000_000)}, end...)})
	require.NoError(t, err)
	require.Equal(t, []string{"error"}, run.Trace)
	require.Equal(t, interp.Repeated{Round: []cfa.Loc{0, 1}, Times: 1_000_000}, run.Steps[0].Event)
	require.Equal(t, []interp.Binding{{Var: x, Value: 2_000_000}}, run.Steps[0].Changed)
	var values []uint64
	for _, s := range run.States {
		v, _ := s.Value(x)
		values = append(values, v)
	}
	require.Equal(t, []uint64{0, 2_000_000, 2_000_000, 2_000_000}, values)
	for _, c := range []struct {
		step interp.ScriptStep
		why  string
	}{
		{rounds(999_999), "the component is at location 1"},
		{rounds(1_000_001), "leaves the way in round 1000001 of 1000001"},
		{rounds(0), "do not begin at"},
		{interp.ScriptStep{Repeat: &interp.Repeat{Times: 1}}, "do not begin at"},
		{interp.ScriptStep{Repeat: &interp.Repeat{Times: 1, Round: []interp.ScriptStep{{Loc: 0}}}}, "does not lead to 0"},
		{interp.ScriptStep{Repeat: &interp.Repeat{Times: 1, Round: []interp.ScriptStep{{Loc: 0}, {Loc: 2}}}},
			"action error is not repeated"},
		{interp.ScriptStep{Repeat: &interp.Repeat{Times: 1,
			Round: []interp.ScriptStep{{Loc: 0}, {Loc: 1, Choices: []interp.Binding{{Var: x}}}}}}, "does not leave open"},
		{interp.ScriptStep{Repeat: &interp.Repeat{Times: 1,
			Round: []interp.ScriptStep{{Loc: 0}, {Loc: 1, Inside: true}}}}, "none that is repeated"},
	} {
		_, err := b.machine().Replay(ctx(), interp.Script{Steps: append([]interp.ScriptStep{c.step}, end...)})
		require.ErrorContains(t, err, c.why)
	}
}

// TestRoundsOfUnmodelledValues: a loop that reads a value that is not modelled depends on it, and so does
// what it makes of it.
func TestRoundsOfUnmodelledValues(t *testing.T) {
	b := newBuilder()
	x, y := b.local("x"), b.local("y")
	b.add(cfa.Assign{LHS: x, Nondet: "any", Approx: "floating point"})
	b.add(cfa.Assign{LHS: y, RHS: b.p.Add(y, x)}, 1)
	m := b.machine()
	run, err := m.Replay(ctx(),
		interp.Script{Steps: []interp.ScriptStep{{Loc: 0},
			{Loc: 1, Repeat: &interp.Repeat{Round: []interp.ScriptStep{{Loc: 1}}, Times: 9}}}})
	require.NoError(t, err)
	require.NotNil(t, run.Tainted)
	require.Equal(t, "floating point", run.Tainted.Reason)
	_, err = m.Replay(ctx(),
		interp.Script{Steps: []interp.ScriptStep{{Loc: 0,
			Repeat: &interp.Repeat{Round: []interp.ScriptStep{{Loc: 0}}, Times: 9}}}})
	require.ErrorContains(t, err, "not modelled is not repeated")
}

// TestRoundsAreInterrupted: rounds end with the context.
func TestRoundsAreInterrupted(t *testing.T) {
	b := newBuilder()
	x := b.local("x")
	b.add(cfa.Assign{LHS: x, RHS: b.p.Add(x, b.int(1))}, 0)
	done, cancel := context.WithCancel(ctx())
	go cancel()
	_, err := b.machine().Replay(done,
		interp.Script{Steps: []interp.ScriptStep{{Repeat: &interp.Repeat{Round: []interp.ScriptStep{{Loc: 0}},
			Times: 1 << 60}}}})
	require.ErrorIs(t, err, context.Canceled)
}

// BenchmarkRounds: b.N rounds of while (x < n) x += 2.
func BenchmarkRounds(b *testing.B) {
	m, _ := counting(1 << 30)
	for n := uint64(b.N); n > 0; n -= min(n, 1<<29) {
		_, err := m.machine().Replay(ctx(), interp.Script{Steps: []interp.ScriptStep{rounds(min(n, 1<<29))}})
		require.NoError(b, err)
	}
}
